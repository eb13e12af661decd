extensions = ["pilgrim_rules.sphinx_ext"]
html_theme = "basic"
nitpicky = True
