-- How a page was answered.
ALTER TABLE crawled_pages ADD COLUMN content_type TEXT;

ALTER TABLE crawled_pages ADD COLUMN fetched_by VARCHAR(20);

ALTER TABLE crawled_pages ADD COLUMN response_ms INTEGER;

-- The same for every crawl, so that each can be looked at as it was.
ALTER TABLE decisions ADD COLUMN asked_at DATETIME;

ALTER TABLE decisions ADD COLUMN size INTEGER;

ALTER TABLE decisions ADD COLUMN hash TEXT;

ALTER TABLE decisions ADD COLUMN content_type TEXT;

ALTER TABLE decisions ADD COLUMN fetched_by VARCHAR(20);

ALTER TABLE decisions ADD COLUMN response_ms INTEGER;

CREATE INDEX idx_decisions_key ON decisions (crawl_id, key);

-- Pages that are not there are few: who asks for them does not go through all the others.
CREATE INDEX idx_crawled_pages_lost_by_url ON crawled_pages (project_id, url, id) WHERE status <> 'success';

CREATE INDEX idx_crawled_pages_lost_by_title ON crawled_pages (project_id, (coalesce(title, '')), id) WHERE status <> 'success';

CREATE INDEX idx_crawled_pages_lost_by_words ON crawled_pages (project_id, (coalesce(word_count, 0)), id) WHERE status <> 'success';
