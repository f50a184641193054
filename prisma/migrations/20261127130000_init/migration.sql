-- The whole schema. prisma/schema.prisma says what the tables and columns mean; here stands besides what it cannot say: checks,
-- functions, partial indexes, unlogged tables. Each check would otherwise be a silent error of the program.

-- Trusted since PostgreSQL 13: the owner of the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE SCHEMA IF NOT EXISTS app;
CREATE SCHEMA IF NOT EXISTS directory;
-- The queue's own, which pg-boss fills (docs/decisions/0005).
CREATE SCHEMA IF NOT EXISTS pgboss;

-- ─── app: people and the directory that they log in to ───────────────────────

CREATE TYPE app.account_role AS ENUM ('member', 'admin');

CREATE TABLE app.account (
    id uuid PRIMARY KEY,
    directory text NOT NULL,
    external_id text NOT NULL,
    handle text,
    first_name text,
    last_name text,
    role app.account_role NOT NULL DEFAULT 'member',
    disabled_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_login_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX account_directory_external_id_key ON app.account (directory, external_id);
CREATE INDEX account_directory_last_login_at_idx ON app.account (directory, last_login_at);

CREATE TABLE app.connection (
    account_id uuid PRIMARY KEY REFERENCES app.account ON UPDATE CASCADE ON DELETE CASCADE,
    token bytea NOT NULL,
    broken_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE app.login_attempt (
    state_hash bytea PRIMARY KEY,
    binding_hash bytea NOT NULL,
    next text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at timestamptz(3) NOT NULL,
    used_at timestamptz(3),
    confirms uuid,
    directory text NOT NULL DEFAULT '',
    display text,
    -- A path on our own host, never `//elsewhere` nor `/\elsewhere`: it becomes a Location header.
    CONSTRAINT login_attempt_next_local CHECK (next ~ '^/([^/\\]|$)')
);
CREATE INDEX login_attempt_binding_hash_idx ON app.login_attempt (binding_hash);
CREATE INDEX login_attempt_expires_at_idx ON app.login_attempt (expires_at);

CREATE TABLE app.session (
    id_hash bytea PRIMARY KEY,
    account_id uuid REFERENCES app.account ON UPDATE CASCADE ON DELETE CASCADE,
    data jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3)
);
CREATE INDEX session_account_id_idx ON app.session (account_id);
CREATE INDEX session_expires_at_idx ON app.session (expires_at);

CREATE TYPE app.state_handling AS ENUM ('echoes', 'drops');

CREATE TABLE app.known_directory (
    auth_url text PRIMARY KEY,
    state app.state_handling NOT NULL,
    since timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TYPE app.credential_origin AS ENUM ('setup', 'rotated', 'pasted', 'command');

CREATE TABLE app.client_credential (
    id uuid PRIMARY KEY,
    directory text NOT NULL,
    client_id text NOT NULL,
    secret bytea,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    account_id uuid REFERENCES app.account ON UPDATE CASCADE ON DELETE SET NULL,
    ended_at timestamptz(3),
    ends_early boolean NOT NULL DEFAULT false,
    expires_at timestamptz(3),
    last_used_at timestamptz(3),
    origin app.credential_origin NOT NULL DEFAULT 'setup',
    switched_on_at timestamptz(3)
);
CREATE INDEX client_credential_directory_switched_on_at_idx ON app.client_credential (directory, switched_on_at);

CREATE TABLE app.instance (
    id uuid PRIMARY KEY,
    host text NOT NULL,
    version text NOT NULL,
    roles text[],
    started_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    seen_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    problems jsonb[] DEFAULT ARRAY[]::jsonb[]
);
CREATE INDEX instance_seen_at_idx ON app.instance (seen_at);

CREATE TABLE app.vault_key (
    id bytea PRIMARY KEY,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- ─── app: harmonizations ─────────────────────────────────────────────────────

CREATE TYPE app.harmonization_state AS ENUM (
    'uploading', 'draft', 'reading', 'matching', 'adding', 'annotating', 'ready', 'cancelled', 'deleting', 'undoing'
);
CREATE TYPE app.pause_reason AS ENUM ('person', 'connection', 'directory', 'application');

CREATE TABLE app.harmonization (
    id uuid PRIMARY KEY,
    directory text NOT NULL,
    account_id uuid REFERENCES app.account ON UPDATE CASCADE ON DELETE CASCADE,
    name text NOT NULL,
    state app.harmonization_state NOT NULL DEFAULT 'uploading',
    paused_for app.pause_reason,
    retry_at timestamptz(3),
    is_shared boolean NOT NULL DEFAULT false,
    size bigint NOT NULL DEFAULT 0,
    hash bytea,
    format jsonb NOT NULL DEFAULT '{}',
    header text[],
    columns jsonb NOT NULL DEFAULT '{}',
    previous_id uuid REFERENCES app.harmonization ON UPDATE CASCADE ON DELETE SET NULL,
    accept_from real NOT NULL DEFAULT 0.77,
    review_from real NOT NULL DEFAULT 0.2,
    trial jsonb,
    listing_count integer NOT NULL DEFAULT 0,
    task jsonb,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    started_at timestamptz(3),
    matched_at timestamptz(3),
    positions jsonb,
    is_retrying boolean NOT NULL DEFAULT false,
    again_of uuid,
    expires_at timestamptz(3),
    used_at timestamptz(3)
);
CREATE INDEX harmonization_account_id_created_at_idx ON app.harmonization (account_id, created_at);
CREATE INDEX harmonization_previous_id_idx ON app.harmonization (previous_id);

CREATE TABLE app.file_part (
    harmonization_id uuid REFERENCES app.harmonization ON UPDATE CASCADE ON DELETE CASCADE,
    part integer,
    bytes bytea NOT NULL,
    PRIMARY KEY (harmonization_id, part)
);

CREATE TYPE app.listing_status AS ENUM ('pending', 'asked', 'failed');
CREATE TYPE app.listing_decision AS ENUM ('matched', 'added', 'rejected');
CREATE TYPE app.decided_how AS ENUM ('person', 'family', 'many', 'kept');

CREATE TABLE app.listing (
    harmonization_id uuid REFERENCES app.harmonization ON UPDATE CASCADE ON DELETE CASCADE,
    number integer,
    line integer NOT NULL,
    cells text[],
    own_id text,
    print bytea,
    query jsonb,
    status app.listing_status NOT NULL DEFAULT 'pending',
    problem jsonb,
    score real,
    is_clear boolean NOT NULL DEFAULT false,
    best_id text,
    candidates jsonb NOT NULL DEFAULT '[]',
    pattern text,
    matched_at timestamptz(3),
    decision app.listing_decision,
    venue_id text,
    venue_name text,
    decided_how app.decided_how,
    decided_by uuid,
    decided_at timestamptz(3),
    skipped_at timestamptz(3),
    locked_by uuid,
    locked_until timestamptz(3),
    adding jsonb,
    annotated_at timestamptz(3),
    annotation_problem jsonb,
    why jsonb,
    place bigint,
    category_id text,
    edition jsonb,
    PRIMARY KEY (harmonization_id, number),
    -- Never a sentence: the code is worded where it is shown (src/harmonize/run/problems/words.ts).
    CONSTRAINT listing_codes CHECK (
        (problem IS NULL OR coalesce(problem->>'code' ~ '^[a-z_]+$', false))
        AND (why IS NULL OR coalesce(why->>'code' ~ '^[a-z_]+$', false))
        AND (annotation_problem IS NULL OR coalesce(annotation_problem->>'code' ~ '^[a-z_]+$', false))
    )
);
-- Adds that were begun: few, and looked for first thing in every task that adds.
CREATE INDEX listing_adding ON app.listing (harmonization_id, number) WHERE adding IS NOT NULL;
CREATE INDEX listing_best_candidate ON app.listing (best_id, harmonization_id) WHERE best_id IS NOT NULL;
CREATE INDEX listing_harmonization_id_own_id_idx ON app.listing (harmonization_id, own_id);
CREATE INDEX listing_harmonization_id_status_decision_is_clear_score_idx
    ON app.listing (harmonization_id, status, decision, is_clear, score);
-- The rows that differ in the same way and are to be reviewed, the first of them without reading the rest.
CREATE INDEX listing_kin ON app.listing (harmonization_id, pattern, is_clear, score) WHERE decision IS NULL AND pattern IS NOT NULL;
-- Listings that were put off, for the queue of them and its count.
CREATE INDEX listing_skipped ON app.listing (harmonization_id, skipped_at, number) WHERE skipped_at IS NOT NULL AND decision IS NULL;
-- Reading a file writes no entry for what only matching or a decision fills in. The venue comes first, so that those who hold it
-- are found in all files.
CREATE INDEX listing_venue_held ON app.listing (venue_id, harmonization_id) WHERE venue_id IS NOT NULL;

-- No query searches by these. Gathering their statistics took longer than reading 20,000 rows.
ALTER TABLE app.listing
    ALTER COLUMN cells SET STATISTICS 0,
    ALTER COLUMN query SET STATISTICS 0,
    ALTER COLUMN candidates SET STATISTICS 0;

CREATE TABLE app.portion (
    harmonization_id uuid REFERENCES app.harmonization ON UPDATE CASCADE ON DELETE CASCADE,
    number integer,
    listings integer[],
    tries smallint NOT NULL DEFAULT 0,
    PRIMARY KEY (harmonization_id, number)
);

CREATE TABLE app.decision_step (
    id bigserial PRIMARY KEY,
    harmonization_id uuid NOT NULL REFERENCES app.harmonization ON UPDATE CASCADE ON DELETE CASCADE,
    group_id uuid NOT NULL,
    account_id uuid NOT NULL,
    number integer NOT NULL,
    before jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    undone_at timestamptz(3)
);
CREATE INDEX decision_step_group_id_idx ON app.decision_step (group_id);
CREATE INDEX decision_step_harmonization_id_account_id_id_idx ON app.decision_step (harmonization_id, account_id, id);

CREATE TABLE app.conflict_search (
    harmonization_id uuid PRIMARY KEY REFERENCES app.harmonization ON UPDATE CASCADE ON DELETE CASCADE,
    wanted_at timestamptz(3),
    done integer NOT NULL DEFAULT 0,
    found_at timestamptz(3),
    basis text,
    findings jsonb
);

CREATE TABLE app.side_task (
    harmonization_id uuid REFERENCES app.harmonization ON UPDATE CASCADE ON DELETE CASCADE,
    kind text,
    account_id uuid,
    wanted_at timestamptz(3),
    retry_at timestamptz(3),
    problem jsonb,
    about jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (harmonization_id, kind)
);

CREATE TABLE app.bridge_row (
    harmonization_id uuid REFERENCES app.harmonization ON UPDATE CASCADE ON DELETE CASCADE,
    number integer,
    line integer NOT NULL,
    record_id text NOT NULL,
    venue_id text NOT NULL,
    own_id text,
    now_id text,
    now_name text,
    outcome text,
    now_credit text,
    PRIMARY KEY (harmonization_id, number)
);
CREATE INDEX bridge_row_harmonization_id_outcome_number_idx ON app.bridge_row (harmonization_id, outcome, number);

CREATE TABLE app.venue_look (
    harmonization_id uuid REFERENCES app.harmonization ON UPDATE CASCADE ON DELETE CASCADE,
    venue_id text,
    number integer NOT NULL,
    wanted_at timestamptz(3) NOT NULL,
    looked_at timestamptz(3),
    was_name text,
    was_lat double precision,
    was_lng double precision,
    state text,
    now_id text,
    name text,
    lat double precision,
    lng double precision,
    change text,
    metres integer,
    credit text,
    PRIMARY KEY (harmonization_id, venue_id)
);
CREATE INDEX venue_look_harmonization_id_change_number_idx ON app.venue_look (harmonization_id, change, number);

CREATE TABLE app.gone_venue (
    directory text,
    venue_id text,
    noted_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (directory, venue_id)
);

-- ─── app: venues and check-ins of one person ─────────────────────────────────

CREATE TABLE app.venue_add (
    account_id uuid REFERENCES app.account ON UPDATE CASCADE ON DELETE CASCADE,
    key text,
    form_key text NOT NULL,
    adding jsonb,
    venue_id text,
    venue_name text,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (account_id, key)
);
CREATE INDEX venue_add_created_at_idx ON app.venue_add (created_at);

CREATE TABLE app.checkin_copy (
    account_id uuid PRIMARY KEY REFERENCES app.account ON UPDATE CASCADE ON DELETE CASCADE,
    pass integer NOT NULL DEFAULT 1,
    reached integer DEFAULT 0,
    total integer NOT NULL DEFAULT 0,
    complete_at timestamptz(3),
    checked_at timestamptz(3),
    not_before timestamptz(3),
    holder uuid,
    held_until timestamptz(3)
);

CREATE TABLE app.copied_checkin (
    account_id uuid REFERENCES app.checkin_copy ON UPDATE CASCADE ON DELETE CASCADE,
    id text,
    pass integer NOT NULL,
    at timestamptz(0) NOT NULL,
    time_zone_offset integer NOT NULL,
    shout text,
    venue_id text,
    venue_name text,
    address text,
    town text,
    category text,
    lat double precision,
    lng double precision,
    credit text,
    editable boolean,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX copied_checkin_account_id_at_id_idx ON app.copied_checkin (account_id, at DESC, id DESC);

CREATE TABLE app.checkin_add (
    account_id uuid REFERENCES app.account ON UPDATE CASCADE ON DELETE CASCADE,
    key text,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    added_at timestamptz(3),
    PRIMARY KEY (account_id, key)
);
CREATE INDEX checkin_add_created_at_idx ON app.checkin_add (created_at);

-- ─── directory: people and applications ──────────────────────────────────────

CREATE TABLE directory."user" (
    id text PRIMARY KEY,
    handle text NOT NULL,
    first_name text,
    last_name text,
    email text,
    home_city text,
    password_hash text NOT NULL,
    disabled_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT user_handle_lower CHECK (handle = lower(handle))
);
CREATE UNIQUE INDEX user_handle_key ON directory."user" (handle);

CREATE TABLE directory.session (
    id_hash bytea PRIMARY KEY,
    user_id text REFERENCES directory."user" ON UPDATE CASCADE ON DELETE CASCADE,
    data jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3)
);
CREATE INDEX session_expires_at_idx ON directory.session (expires_at);
CREATE INDEX session_user_id_idx ON directory.session (user_id);

CREATE TYPE directory.redirect_match AS ENUM ('exact', 'path');
CREATE TYPE directory.application_access AS ENUM ('stopped', 'reading', 'enabled');

CREATE TABLE directory.application (
    client_id text PRIMARY KEY,
    name text NOT NULL,
    owner_id text NOT NULL REFERENCES directory."user" ON UPDATE CASCADE ON DELETE CASCADE,
    redirect_uris text[],
    redirect_match directory.redirect_match NOT NULL DEFAULT 'exact',
    token_flow boolean NOT NULL DEFAULT false,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    rate_limit integer,
    web_connect boolean NOT NULL DEFAULT false,
    rotates_itself boolean NOT NULL DEFAULT false,
    access directory.application_access NOT NULL DEFAULT 'enabled',
    requested_at timestamptz(3),
    CONSTRAINT application_redirect_uris_some CHECK (coalesce(cardinality(redirect_uris), 0) > 0)
);
CREATE INDEX application_owner_id_idx ON directory.application (owner_id);

CREATE TABLE directory.access_event (
    id bigserial PRIMARY KEY,
    client_id text NOT NULL REFERENCES directory.application ON UPDATE CASCADE ON DELETE CASCADE,
    actor_id text,
    access directory.application_access,
    why text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX access_event_client_id_id_idx ON directory.access_event (client_id, id);

CREATE TABLE directory.application_secret (
    id uuid PRIMARY KEY,
    client_id text NOT NULL REFERENCES directory.application ON UPDATE CASCADE ON DELETE CASCADE,
    hash bytea NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at timestamptz(3),
    last_used_at timestamptz(3)
);
CREATE INDEX application_secret_client_id_idx ON directory.application_secret (client_id);
-- Two rotations at once cannot both leave a current secret: the second waits and then fails.
CREATE UNIQUE INDEX application_secret_current ON directory.application_secret (client_id) WHERE expires_at IS NULL;

CREATE TABLE directory.authorization_request (
    id text PRIMARY KEY,
    client_id text NOT NULL REFERENCES directory.application ON UPDATE CASCADE ON DELETE CASCADE,
    redirect_uri text NOT NULL,
    response_type text NOT NULL,
    state text,
    code_challenge text,
    display text,
    always_prompt boolean NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at timestamptz(3) NOT NULL,
    decided_at timestamptz(3),
    fresh_login boolean NOT NULL DEFAULT false,
    CONSTRAINT authorization_request_response_type CHECK (response_type IN ('code', 'token'))
);
CREATE INDEX authorization_request_client_id_idx ON directory.authorization_request (client_id);
CREATE INDEX authorization_request_expires_at_idx ON directory.authorization_request (expires_at);

CREATE TABLE directory.authorization_code (
    hash bytea PRIMARY KEY,
    client_id text NOT NULL REFERENCES directory.application ON UPDATE CASCADE ON DELETE CASCADE,
    user_id text NOT NULL REFERENCES directory."user" ON UPDATE CASCADE ON DELETE CASCADE,
    redirect_uri text NOT NULL,
    code_challenge text,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at timestamptz(3) NOT NULL,
    used_at timestamptz(3),
    auth_time timestamptz(3)
);
CREATE INDEX authorization_code_expires_at_idx ON directory.authorization_code (expires_at);
CREATE INDEX authorization_code_user_id_client_id_idx ON directory.authorization_code (user_id, client_id);

CREATE TABLE directory."authorization" (
    user_id text REFERENCES directory."user" ON UPDATE CASCADE ON DELETE CASCADE,
    client_id text REFERENCES directory.application ON UPDATE CASCADE ON DELETE CASCADE,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    token_lookup bytea,
    token_sealed bytea,
    token_at timestamptz(3),
    PRIMARY KEY (user_id, client_id),
    -- A token is there whole or not at all.
    CONSTRAINT authorization_token_whole CHECK (num_nulls(token_lookup, token_sealed, token_at) IN (0, 3))
);
CREATE INDEX authorization_client_id_idx ON directory."authorization" (client_id);
CREATE UNIQUE INDEX authorization_token_lookup_key ON directory."authorization" (token_lookup);

CREATE TABLE directory.provider (
    id text PRIMARY KEY,
    client_id text NOT NULL REFERENCES directory.application ON UPDATE CASCADE ON DELETE CASCADE,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX provider_client_id_idx ON directory.provider (client_id);

CREATE TABLE directory.vault_key (
    id bytea PRIMARY KEY,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- ─── directory: venues ───────────────────────────────────────────────────────

CREATE TABLE directory.category (
    id text PRIMARY KEY,
    parent_id text REFERENCES directory.category ON UPDATE CASCADE ON DELETE SET NULL,
    name text NOT NULL,
    plural_name text NOT NULL,
    short_name text NOT NULL,
    icon text NOT NULL,
    position integer NOT NULL
);
CREATE INDEX category_parent_id_idx ON directory.category (parent_id);

CREATE TABLE directory.source (
    id smallserial PRIMARY KEY,
    release text NOT NULL,
    dataset text NOT NULL,
    attribution text NOT NULL,
    licence text,
    url text,
    edition text,
    imported_at timestamptz(3)
);
CREATE UNIQUE INDEX source_release_dataset_key ON directory.source (release, dataset);

-- The words by which a venue is searched, marked by what they are:
--   word of its name · =name without blanks · @word of its address · #category · ~small cell of the map · ^large cell
-- src/directory/venues/text-readings.ts and text-index.ts write the queries. A change here needs a new index.
CREATE FUNCTION directory.venue_words(
    name_norm text, address text, cross_street text, city text, state text, zip text, category_id text, point point
) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(
    array_remove(string_to_array(left(name_norm, 500), ' '), '')
    || left('=' || replace(regexp_replace(name_norm, '\m(and|the)\M', '', 'g'), ' ', ''), 100)
    || string_to_array('@' || regexp_replace(translate(lower(left(
           coalesce(address, '') || ' ' || coalesce(cross_street, '') || ' ' || coalesce(city, '') || ' '
           || coalesce(state, '') || ' ' || coalesce(zip, ''), 500)),
         'áàâäãåāéèêëēíìîïīóòôöõøōúùûüūýÿçñš''’.', 'aaaaaaaeeeeeiiiiiooooooouuuuuyycns'),
         '[[:space:][:punct:]]+', ' @', 'g'), ' ')
    || ('#' || coalesce(category_id, ''))
    || ('~' || floor(point[0] * 5)::int || ',' || floor(point[1] * 5)::int)
    || ('^' || floor(point[0])::int || ',' || floor(point[1])::int)
);

CREATE TABLE directory.venue (
    id text PRIMARY KEY,
    name text NOT NULL,
    name_norm text NOT NULL,
    lat double precision NOT NULL,
    lng double precision NOT NULL,
    point point NOT NULL,
    address text,
    cross_street text,
    city text,
    state text,
    zip text,
    cc text,
    phone text,
    phone_norm text,
    twitter text,
    url text,
    description text,
    category_id text REFERENCES directory.category ON UPDATE CASCADE ON DELETE SET NULL,
    creator_id text,
    client_id text,
    checkins_count integer NOT NULL DEFAULT 0,
    users_count integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    tile integer,
    closed_at timestamptz(3),
    source_id smallint,
    position_by_address boolean,
    CONSTRAINT venue_description CHECK (char_length(description) <= 300),
    CONSTRAINT venue_lat CHECK (lat BETWEEN -90 AND 90),
    CONSTRAINT venue_lng CHECK (lng BETWEEN -180 AND 180),
    CONSTRAINT venue_name CHECK (name <> '')
);
CREATE INDEX venue_category_id_idx ON directory.venue (category_id);
CREATE INDEX venue_phone_norm_idx ON directory.venue (phone_norm);
-- Serves both the nearest venues and those with a similar name nearby.
CREATE INDEX venue_point_name ON directory.venue USING gist (point, name_norm gist_trgm_ops);
CREATE INDEX venue_url_idx ON directory.venue USING hash (url);
CREATE INDEX venue_words ON directory.venue USING gin (
    directory.venue_words(name_norm, address, cross_street, city, state, zip, category_id, point)
) WITH (gin_pending_list_limit = 512); -- kB: what an add may have to sort in before it is done

-- The words of all names, for those that are misspelt. As old as the last refresh of the places.
CREATE MATERIALIZED VIEW directory.name_word AS
    SELECT word COLLATE "C" AS word, count(*)::int AS venues
      FROM directory.venue, unnest(string_to_array(name_norm, ' ')) AS word
     WHERE length(word) BETWEEN 3 AND 40
     GROUP BY 1;
CREATE UNIQUE INDEX name_word_key ON directory.name_word (word);
CREATE INDEX name_word_trgm ON directory.name_word USING gin (word gin_trgm_ops);

-- What `samespot database distribute` distributes the venues by (src/directory/venues/tiles.ts), as venue.tile. On one server
-- nothing reads it.
CREATE FUNCTION directory.venue_tile(point) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT floor(floor($1[0] * 128) / 24)::int * 8192 + floor(floor($1[1] * 128) / 24)::int $$;

-- When PostgreSQL has last analysed the venues; distribute makes it ask the other servers.
CREATE FUNCTION directory.venues_analyzed_at() RETURNS timestamptz
    LANGUAGE sql STABLE
    AS $$ SELECT greatest(last_analyze, last_autoanalyze) FROM pg_stat_user_tables
           WHERE relid = 'directory.venue'::regclass $$;

CREATE TABLE directory.moved_venue (
    id text PRIMARY KEY,
    venue_id text NOT NULL,
    moved_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX moved_venue_venue_id_idx ON directory.moved_venue (venue_id);

CREATE TABLE directory.link (
    provider_id text REFERENCES directory.provider ON UPDATE CASCADE ON DELETE CASCADE,
    linked_id text,
    venue_id text NOT NULL REFERENCES directory.venue ON UPDATE CASCADE ON DELETE CASCADE,
    url text,
    user_id text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (provider_id, linked_id)
);
CREATE INDEX link_url_idx ON directory.link USING hash (url);
CREATE INDEX link_venue_id_idx ON directory.link (venue_id);

CREATE TABLE directory.checkin (
    id text PRIMARY KEY,
    user_id text NOT NULL REFERENCES directory."user" ON UPDATE CASCADE ON DELETE CASCADE,
    venue_id text NOT NULL REFERENCES directory.venue ON UPDATE CASCADE ON DELETE CASCADE,
    shout text,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    time_zone_offset integer NOT NULL,
    client_id text
);
CREATE INDEX checkin_user_id_created_at_id_idx ON directory.checkin (user_id, created_at, id);
CREATE INDEX checkin_user_id_venue_id_idx ON directory.checkin (user_id, venue_id);
CREATE INDEX checkin_venue_id_idx ON directory.checkin (venue_id);

-- ─── directory: changes, proposals and duplicates of venues ──────────────────

CREATE TYPE directory.venue_change_kind AS ENUM ('deleted', 'merged', 'edited');

CREATE TABLE directory.venue_change (
    id bigserial PRIMARY KEY,
    venue_id text NOT NULL,
    kind directory.venue_change_kind NOT NULL,
    user_id text NOT NULL,
    client_id text,
    at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    before jsonb NOT NULL,
    into_id text,
    reverted_at timestamptz(3),
    reverted_by text,
    after jsonb
);
CREATE INDEX venue_change_into_id_idx ON directory.venue_change (into_id);
CREATE INDEX venue_change_venue_id_idx ON directory.venue_change (venue_id);

CREATE TYPE directory.venue_proposal_state AS ENUM ('open', 'accepted', 'declined', 'withdrawn');

CREATE TABLE directory.venue_proposal (
    id bigserial PRIMARY KEY,
    venue_id text NOT NULL,
    user_id text NOT NULL,
    client_id text NOT NULL,
    at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    wanted jsonb NOT NULL,
    was jsonb NOT NULL,
    into_id text,
    comment text,
    key text NOT NULL,
    state directory.venue_proposal_state NOT NULL DEFAULT 'open',
    decided_at timestamptz(3),
    decided_by text,
    answer text,
    change_id bigint,
    is_new boolean
);
CREATE INDEX venue_proposal_change_id_idx ON directory.venue_proposal (change_id);
CREATE INDEX venue_proposal_key_idx ON directory.venue_proposal (key);
CREATE INDEX venue_proposal_state_id_idx ON directory.venue_proposal (state, id);
CREATE INDEX venue_proposal_user_id_id_idx ON directory.venue_proposal (user_id, id);
-- With every call the directory looks whether its user has held venues.
CREATE INDEX venue_proposal_user_id_state_idx ON directory.venue_proposal (user_id, state);

CREATE TABLE directory.duplicate_run (
    id serial PRIMARY KEY,
    started_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    finished_at timestamptz(3),
    seen_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    venues integer NOT NULL DEFAULT 0,
    passed integer NOT NULL DEFAULT 0,
    compared integer NOT NULL DEFAULT 0
);

CREATE TABLE directory.duplicate_portion (
    key text PRIMARY KEY,
    run_id integer NOT NULL,
    hashes bigint[]
);

CREATE TABLE directory.duplicate_pair (
    a_id text,
    b_id text,
    score double precision NOT NULL,
    evidence jsonb NOT NULL,
    stays_id text,
    family text,
    is_grouped boolean NOT NULL DEFAULT false,
    different_at timestamptz(3),
    different_by text,
    PRIMARY KEY (a_id, b_id)
);
CREATE INDEX duplicate_pair_b_id_idx ON directory.duplicate_pair (b_id);
CREATE INDEX duplicate_pair_stays_id_idx ON directory.duplicate_pair (stays_id);

CREATE TABLE directory.duplicate_merge (
    id serial PRIMARY KEY,
    user_id text NOT NULL,
    at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    change_ids bigint[],
    reverted_at timestamptz(3),
    reverted_by text
);

-- ─── directory: places and the map ───────────────────────────────────────────

CREATE TABLE directory.place (
    kind text,
    name_norm text,
    state text,
    cc text,
    name text NOT NULL,
    lat double precision NOT NULL,
    lng double precision NOT NULL,
    south double precision NOT NULL,
    west double precision NOT NULL,
    north double precision NOT NULL,
    east double precision NOT NULL,
    venues integer NOT NULL,
    PRIMARY KEY (kind, name_norm, state, cc)
);
CREATE INDEX place_name_norm_idx ON directory.place (name_norm);
CREATE INDEX place_name_trgm ON directory.place USING gin (name_norm gin_trgm_ops);

CREATE TABLE directory.street (
    cell integer,
    id text,
    name text NOT NULL,
    metres integer NOT NULL,
    line text NOT NULL,
    PRIMARY KEY (cell, id)
);

CREATE TABLE directory.area (
    id text PRIMARY KEY,
    name text NOT NULL,
    rings text[],
    credit text NOT NULL,
    south double precision NOT NULL,
    west double precision NOT NULL,
    north double precision NOT NULL,
    east double precision NOT NULL
);

-- ─── directory: what it notes of itself ──────────────────────────────────────

CREATE TABLE directory.idempotency_key (
    scope text,
    key text,
    params_hash bytea NOT NULL,
    body jsonb,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_key_created_at_idx ON directory.idempotency_key (created_at);

-- With room to count up in place. A crash may empty it.
CREATE UNLOGGED TABLE directory.rate_count (
    subject text,
    window_start timestamptz(3),
    count integer NOT NULL,
    PRIMARY KEY (subject, window_start)
) WITH (fillfactor = 50);
CREATE INDEX rate_count_window_start_idx ON directory.rate_count (window_start);

-- Of seconds' interest, so a crash may empty it: then no replica is behind that was not behind before.
CREATE UNLOGGED TABLE directory.last_write (
    subject text PRIMARY KEY,
    position bigint NOT NULL,
    at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX last_write_at_idx ON directory.last_write (at);

CREATE TABLE directory.setup_step (
    name text PRIMARY KEY,
    done_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE directory.normalization (
    id integer PRIMARY KEY DEFAULT 1,
    version integer NOT NULL,
    target integer,
    written_to text
);

-- Always this one row. The first start brings it to the version of the program.
INSERT INTO directory.normalization (version) VALUES (1);

-- ─── both: what only an owner may do ─────────────────────────────────────────

-- The web app and the directory each connect with a role that owns no table (src/db/roles.ts), and do this while they run.

CREATE FUNCTION app.analyze_listings() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ BEGIN ANALYZE app.listing; END $$;

CREATE FUNCTION directory.analyze_places() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ BEGIN ANALYZE directory.place; END $$;

CREATE FUNCTION directory.refresh_name_words() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ BEGIN REFRESH MATERIALIZED VIEW CONCURRENTLY directory.name_word; END $$;
