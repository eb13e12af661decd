"""From text to the tree the author wrote: layout, grammar, syntax tree, canonical form."""
