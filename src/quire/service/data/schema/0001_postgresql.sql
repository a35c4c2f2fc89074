CREATE TABLE projects (
    id          uuid PRIMARY KEY,
    name        varchar(200) NOT NULL,
    website_url varchar(2000) NOT NULL,
    settings    jsonb NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    last_event  bigint NOT NULL DEFAULT 0
);

CREATE INDEX idx_projects_created ON projects (created_at, id);

CREATE TABLE crawls (
    id               uuid PRIMARY KEY,
    project_id       uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    number           integer NOT NULL,
    status           varchar(20) NOT NULL,
    settings         jsonb NOT NULL,
    website_url      varchar(2000) NOT NULL,
    progress         double precision NOT NULL DEFAULT 0,
    estimated_total  integer NOT NULL DEFAULT 0,
    pages_crawled    integer NOT NULL DEFAULT 0,
    counts           jsonb NOT NULL,
    statistics       jsonb,
    error            text,
    notes            jsonb NOT NULL,
    created_at       timestamptz NOT NULL,
    started_at       timestamptz,
    finished_at      timestamptz,
    cancel_requested boolean NOT NULL DEFAULT false,
    owner            varchar(100),
    token            integer NOT NULL DEFAULT 0,
    lease_until      double precision NOT NULL DEFAULT 0,
    stalls           integer NOT NULL DEFAULT 0,
    CONSTRAINT uq_crawls_number UNIQUE (project_id, number)
);

CREATE UNIQUE INDEX uq_crawls_active ON crawls (project_id) WHERE status IN ('pending', 'in_progress');

CREATE INDEX idx_crawls_status ON crawls (status, created_at);

CREATE TABLE crawled_pages (
    id               uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    project_id       uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    url              varchar(2000) NOT NULL,
    normalized_url   varchar(2000) NOT NULL,
    title            varchar(500),
    h1               varchar(500),
    meta_description text,
    content_text     text,
    word_count       integer,
    links_found      jsonb DEFAULT '[]',
    crawled_at       timestamptz NOT NULL DEFAULT now(),
    status           varchar(20) NOT NULL DEFAULT 'success',
    error_message    text,
    crawl_id         uuid,
    markdown         text,
    -- Words end at any mark, as in SQLite's index; a vector holds a megabyte at most.
    search           tsvector GENERATED ALWAYS AS (to_tsvector('simple', translate(
                         coalesce(title, '') || ' ' || left(coalesce(content_text, ''), 250000),
                         '-_./:@&~+=?#''', '             '))) STORED,
    CONSTRAINT uq_crawled_pages_url UNIQUE (project_id, normalized_url)
);

CREATE INDEX idx_crawled_pages_project ON crawled_pages (project_id);

CREATE INDEX idx_crawled_pages_status ON crawled_pages (project_id, status);

CREATE INDEX idx_crawled_pages_by_time ON crawled_pages (project_id, crawled_at, id);

CREATE INDEX idx_crawled_pages_by_url ON crawled_pages (project_id, (url COLLATE "C"), id);

CREATE INDEX idx_crawled_pages_by_title ON crawled_pages (project_id, (coalesce(title, '') COLLATE "C"), id);

CREATE INDEX idx_crawled_pages_by_words ON crawled_pages (project_id, (coalesce(word_count, 0)), id);

CREATE INDEX idx_crawled_pages_status_by_time ON crawled_pages (project_id, status, crawled_at, id);

CREATE INDEX idx_crawled_pages_search ON crawled_pages USING gin (search);

CREATE TABLE decisions (
    crawl_id   uuid NOT NULL REFERENCES crawls (id) ON DELETE CASCADE,
    id         integer NOT NULL,
    key        bigint NOT NULL,
    url        text NOT NULL,
    state      smallint NOT NULL,
    rank       smallint NOT NULL,
    weight     double precision NOT NULL,
    reason     text NOT NULL,
    detail     text NOT NULL,
    source     text NOT NULL,
    parent     integer,
    place      text,
    depth      integer NOT NULL,
    hops       integer NOT NULL,
    redirects  integer NOT NULL,
    start      smallint NOT NULL,
    attempts   integer NOT NULL,
    listed     smallint NOT NULL,
    lastmod    text,
    priority   double precision,
    changefreq text,
    target     bigint,
    facts      bytea,
    links      bytea,
    PRIMARY KEY (crawl_id, id)
);

CREATE INDEX idx_decisions_state ON decisions (crawl_id, state, id);

CREATE TABLE events (
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    number     bigint NOT NULL,
    crawl_id   uuid NOT NULL,
    type       varchar(20) NOT NULL,
    at         timestamptz NOT NULL,
    data       jsonb NOT NULL,
    PRIMARY KEY (project_id, number)
);
