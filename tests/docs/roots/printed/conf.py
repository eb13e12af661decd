extensions = ["rules_docs"]
html_theme = "basic"
nitpicky = True
