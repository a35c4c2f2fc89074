-- Texts that a later crawl found changed: what a page was, until the crawl that found it otherwise.
CREATE TABLE former_texts (
    project_id     uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    normalized_url varchar(2000) NOT NULL,
    until_crawl    integer NOT NULL,
    title          varchar(500),
    markdown       text NOT NULL,
    PRIMARY KEY (project_id, normalized_url, until_crawl)
);

CREATE INDEX idx_former_texts_crawl ON former_texts (project_id, until_crawl);
