-- The frontier of a mirror: every URL seen, its decision, and what is known of each saved page.
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE hosts (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);

-- Places other than pages that name URLs: sitemaps and feeds.
CREATE TABLE places (
    id  INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE
);

CREATE TABLE urls (
    id         INTEGER PRIMARY KEY,       -- in order of discovery
    key        INTEGER NOT NULL,          -- identity: 64-bit fingerprint of the URL's key
    url        TEXT    NOT NULL,          -- as it is requested; of a page as the mirror knows it (schedule/spellings.py)
    host       INTEGER NOT NULL,
    crawl      INTEGER NOT NULL,          -- the last crawl that saw it
    state      INTEGER NOT NULL,          -- records.State
    rank       INTEGER NOT NULL DEFAULT 2,
    weight     REAL    NOT NULL DEFAULT 0, -- negated, so that one ascending index gives the order of turns
    reason     TEXT    NOT NULL DEFAULT '',
    detail     TEXT    NOT NULL DEFAULT '',
    source     TEXT    NOT NULL,
    found_on   INTEGER,                   -- urls.id; negative: places.id
    depth      INTEGER NOT NULL DEFAULT 0,
    hops       INTEGER NOT NULL DEFAULT 0,
    redirects  INTEGER NOT NULL DEFAULT 0,
    start      INTEGER NOT NULL DEFAULT 0,
    attempts   INTEGER NOT NULL DEFAULT 0,
    listed     INTEGER NOT NULL DEFAULT 0, -- a sitemap names it
    lastmod    TEXT,
    priority   REAL,
    changefreq TEXT,
    target     INTEGER                    -- key of the URL it redirects to or is a duplicate of
);
CREATE INDEX urls_waiting ON urls (host, rank, weight, id) WHERE state = 0;

-- An index of urls.key that is filled in batches: those of the last URLs may be missing (schedule/keys.py).
CREATE TABLE keys (
    key INTEGER PRIMARY KEY,
    id  INTEGER NOT NULL                  -- urls.id
);

CREATE TABLE pages (
    id            INTEGER PRIMARY KEY,    -- urls.id
    path          TEXT,                   -- NULL when no files are kept
    folded        INTEGER NOT NULL UNIQUE, -- fingerprint of the path as a case-insensitive disk sees it
    contested     INTEGER NOT NULL,       -- another URL has the path this one would have had
    size          INTEGER NOT NULL,
    hash          TEXT    NOT NULL,       -- of the Markdown in the file
    plain         TEXT,                   -- the same before links were made local; NULL if none was
    status        INTEGER NOT NULL,
    content_type  TEXT    NOT NULL,
    etag          TEXT,
    last_modified TEXT,
    fetched_at    TEXT    NOT NULL,
    canonical     INTEGER,                -- key of the canonical URL where the page names another
    first         INTEGER NOT NULL,       -- the crawl that brought it
    changed       INTEGER NOT NULL,       -- the last crawl that wrote it
    facts         BLOB    NOT NULL,
    links         BLOB    NOT NULL,       -- keys of the URLs it names, eight bytes each
    gone          INTEGER,                -- the crawl that missed it
    fetched_by    TEXT    NOT NULL DEFAULT 'http',
    response_ms   INTEGER,                -- from asking to the last byte; NULL where nobody measured
    remarks       TEXT    NOT NULL DEFAULT '', -- what the page did in the browser, one remark a line
    made          TEXT    NOT NULL, -- hash of the Markdown before anything was cut
    ends          BLOB    NOT NULL, -- records.Ends: what the site's frame is learnt from
    cuts          BLOB    NOT NULL, -- what was cut as frame: records.Cut, compressed; empty if nothing was
    edits         BLOB    NOT NULL -- the links that lead to local files: records.Edit, compressed; empty if none does
);

CREATE INDEX pages_contested ON pages (id) WHERE contested;

-- The images that pages show, where they are downloaded.
CREATE TABLE assets (
    id            INTEGER PRIMARY KEY,
    key           INTEGER NOT NULL UNIQUE, -- identity: fingerprint of its URL without the scheme
    url           TEXT    NOT NULL,
    host          TEXT    NOT NULL,       -- that is asked
    crawl         INTEGER NOT NULL,       -- the last crawl whose pages show it
    state         INTEGER NOT NULL DEFAULT 0, -- records.State
    reason        TEXT    NOT NULL DEFAULT '',
    detail        TEXT    NOT NULL DEFAULT '',
    target        TEXT,                   -- where its URL led so far; NULL: nowhere else
    hops          INTEGER NOT NULL DEFAULT 0,
    attempts      INTEGER NOT NULL DEFAULT 0,
    path          TEXT,                   -- NULL when there is no file
    folded        INTEGER UNIQUE,         -- as that of pages
    size          INTEGER NOT NULL DEFAULT 0,
    content_type  TEXT    NOT NULL DEFAULT '',
    etag          TEXT,
    last_modified TEXT
);
CREATE INDEX assets_waiting ON assets (host, id) WHERE state = 0;

-- Files to delete and to rename once the transaction that decided it is safe.
CREATE TABLE chores (
    id  INTEGER PRIMARY KEY,
    old TEXT NOT NULL,
    new TEXT                              -- NULL: delete
);
