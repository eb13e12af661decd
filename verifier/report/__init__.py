"""Reports: evidence as JSON, and the same as text, JUnit XML and SARIF."""
