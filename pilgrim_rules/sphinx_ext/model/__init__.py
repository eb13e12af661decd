"""What the pages show, as data. Rules, evidence and recorded plays enter; a `Book` of each game leaves, which knows no Sphinx page."""
