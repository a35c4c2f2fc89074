CREATE TABLE projects (
    id          CHAR(32) PRIMARY KEY,
    name        VARCHAR(200) NOT NULL,
    website_url VARCHAR(2000) NOT NULL,
    settings    JSON NOT NULL,
    created_at  DATETIME NOT NULL,
    updated_at  DATETIME NOT NULL,
    last_event  BIGINT NOT NULL DEFAULT 0
);

CREATE INDEX idx_projects_created ON projects (created_at, id);

CREATE TABLE crawls (
    id               CHAR(32) PRIMARY KEY,
    project_id       CHAR(32) NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    number           INTEGER NOT NULL,
    status           VARCHAR(20) NOT NULL,
    settings         JSON NOT NULL,
    website_url      VARCHAR(2000) NOT NULL,
    progress         FLOAT NOT NULL DEFAULT 0,
    estimated_total  INTEGER NOT NULL DEFAULT 0,
    pages_crawled    INTEGER NOT NULL DEFAULT 0,
    counts           JSON NOT NULL,
    statistics       JSON,
    error            TEXT,
    notes            JSON NOT NULL,
    created_at       DATETIME NOT NULL,
    started_at       DATETIME,
    finished_at      DATETIME,
    cancel_requested BOOLEAN NOT NULL DEFAULT 0,
    owner            VARCHAR(100),
    token            INTEGER NOT NULL DEFAULT 0,
    lease_until      FLOAT NOT NULL DEFAULT 0,
    stalls           INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT uq_crawls_number UNIQUE (project_id, number)
);

CREATE UNIQUE INDEX uq_crawls_active ON crawls (project_id) WHERE status IN ('pending', 'in_progress');

CREATE INDEX idx_crawls_status ON crawls (status, created_at);

CREATE TABLE crawled_pages (
    number           INTEGER PRIMARY KEY,
    id               CHAR(32) NOT NULL UNIQUE,
    project_id       CHAR(32) NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    url              VARCHAR(2000) NOT NULL,
    normalized_url   VARCHAR(2000) NOT NULL,
    title            VARCHAR(500),
    h1               VARCHAR(500),
    meta_description TEXT,
    content_text     TEXT,
    word_count       INTEGER,
    links_found      JSON DEFAULT '[]',
    crawled_at       DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    status           VARCHAR(20) NOT NULL DEFAULT 'success',
    error_message    TEXT,
    crawl_id         CHAR(32),
    markdown         TEXT,
    CONSTRAINT uq_crawled_pages_url UNIQUE (project_id, normalized_url)
);

CREATE INDEX idx_crawled_pages_project ON crawled_pages (project_id);

CREATE INDEX idx_crawled_pages_status ON crawled_pages (project_id, status);

CREATE INDEX idx_crawled_pages_by_time ON crawled_pages (project_id, crawled_at, id);

CREATE INDEX idx_crawled_pages_by_url ON crawled_pages (project_id, url, id);

CREATE INDEX idx_crawled_pages_by_title ON crawled_pages (project_id, (coalesce(title, '')), id);

CREATE INDEX idx_crawled_pages_by_words ON crawled_pages (project_id, (coalesce(word_count, 0)), id);

CREATE INDEX idx_crawled_pages_status_by_time ON crawled_pages (project_id, status, crawled_at, id);

CREATE TABLE decisions (
    crawl_id   CHAR(32) NOT NULL REFERENCES crawls (id) ON DELETE CASCADE,
    id         INTEGER NOT NULL,
    key        BIGINT NOT NULL,
    url        TEXT NOT NULL,
    state      SMALLINT NOT NULL,
    rank       SMALLINT NOT NULL,
    weight     FLOAT NOT NULL,
    reason     TEXT NOT NULL,
    detail     TEXT NOT NULL,
    source     TEXT NOT NULL,
    parent     INTEGER,
    place      TEXT,
    depth      INTEGER NOT NULL,
    hops       INTEGER NOT NULL,
    redirects  INTEGER NOT NULL,
    start      SMALLINT NOT NULL,
    attempts   INTEGER NOT NULL,
    listed     SMALLINT NOT NULL,
    lastmod    TEXT,
    priority   FLOAT,
    changefreq TEXT,
    target     BIGINT,
    facts      BLOB,
    links      BLOB,
    PRIMARY KEY (crawl_id, id)
);

CREATE INDEX idx_decisions_state ON decisions (crawl_id, state, id);

CREATE TABLE events (
    project_id CHAR(32) NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    number     BIGINT NOT NULL,
    crawl_id   CHAR(32) NOT NULL,
    type       VARCHAR(20) NOT NULL,
    at         DATETIME NOT NULL,
    data       JSON NOT NULL,
    PRIMARY KEY (project_id, number)
);

-- An index over words; it holds no text of its own but reads it from the table, row by row number.
CREATE VIRTUAL TABLE crawled_pages_search USING fts5 (
    title, content_text, content='crawled_pages', content_rowid='number', tokenize='unicode61 remove_diacritics 0'
);

CREATE TRIGGER crawled_pages_added AFTER INSERT ON crawled_pages BEGIN
    INSERT INTO crawled_pages_search (rowid, title, content_text) VALUES (new.number, new.title, new.content_text);
END;

CREATE TRIGGER crawled_pages_removed AFTER DELETE ON crawled_pages BEGIN
    INSERT INTO crawled_pages_search (crawled_pages_search, rowid, title, content_text)
    VALUES ('delete', old.number, old.title, old.content_text);
END;

CREATE TRIGGER crawled_pages_changed AFTER UPDATE OF title, content_text ON crawled_pages BEGIN
    INSERT INTO crawled_pages_search (crawled_pages_search, rowid, title, content_text)
    VALUES ('delete', old.number, old.title, old.content_text);
    INSERT INTO crawled_pages_search (rowid, title, content_text) VALUES (new.number, new.title, new.content_text);
END;
