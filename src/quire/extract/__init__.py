"""From bytes to a tree, and from the tree to a page's links, facts and content; one parse serves all of them.

Nothing here changes the tree: links, facts and content may be read in any order, before `convert` takes it apart.
"""
