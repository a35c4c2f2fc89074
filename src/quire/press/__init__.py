"""Pages are made in other processes: both cores work, and a page that breaks the parser costs that page only."""
