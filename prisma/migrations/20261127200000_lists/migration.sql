CREATE TYPE app.list_role AS ENUM ('viewer', 'reviewer', 'owner');

CREATE TABLE app.list (
    id uuid PRIMARY KEY,
    directory text NOT NULL,
    name text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX list_directory_created_at_idx ON app.list (directory, created_at);

CREATE TABLE app.list_person (
    list_id uuid REFERENCES app.list ON UPDATE CASCADE ON DELETE CASCADE,
    account_id uuid REFERENCES app.account ON UPDATE CASCADE ON DELETE CASCADE,
    role app.list_role NOT NULL,
    PRIMARY KEY (list_id, account_id)
);
CREATE INDEX list_person_account_id_idx ON app.list_person (account_id);

-- A list is a chain of editions; it takes id and name of the first of them that is left. Chains of different owners stay apart.
ALTER TABLE app.harmonization ADD COLUMN list_id uuid;
WITH RECURSIVE edition AS (
    SELECT h.id, h.id AS first, h.account_id FROM app.harmonization h
     WHERE NOT EXISTS (SELECT FROM app.harmonization p
                        WHERE p.id = h.previous_id AND p.account_id IS NOT DISTINCT FROM h.account_id)
    UNION ALL
    SELECT h.id, e.first, h.account_id FROM edition e
      JOIN app.harmonization h ON h.previous_id = e.id AND h.account_id IS NOT DISTINCT FROM e.account_id
)
UPDATE app.harmonization h SET list_id = e.first FROM edition e WHERE e.id = h.id;
INSERT INTO app.list (id, directory, name, created_at)
    SELECT h.id, h.directory, h.name, h.created_at FROM app.harmonization h WHERE h.id = h.list_id;
INSERT INTO app.list_person (list_id, account_id, role)
    SELECT id, account_id, 'owner' FROM app.harmonization WHERE id = list_id AND account_id IS NOT NULL;
ALTER TABLE app.harmonization ALTER COLUMN list_id SET NOT NULL;
ALTER TABLE app.harmonization ADD FOREIGN KEY (list_id) REFERENCES app.list ON UPDATE CASCADE ON DELETE RESTRICT;
CREATE INDEX harmonization_list_id_idx ON app.harmonization (list_id);

-- A row says how many rows of how many other lists hold its venue, and names none of them.
UPDATE app.listing SET problem = jsonb_build_object('code', 'venue_held', 'at', problem->'at', 'lists', 1,
           'rows', (problem->>'own')::int + (problem->>'others')::int)
 WHERE problem->>'code' = 'venue_held';

CREATE TABLE app.note (
    id bigserial PRIMARY KEY,
    harmonization_id uuid NOT NULL REFERENCES app.harmonization ON UPDATE CASCADE ON DELETE CASCADE,
    number integer NOT NULL,
    account_id uuid NOT NULL REFERENCES app.account ON UPDATE CASCADE ON DELETE CASCADE,
    text text NOT NULL,
    asked_id uuid REFERENCES app.account ON UPDATE CASCADE ON DELETE SET NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    answered_at timestamptz(3)
);
CREATE INDEX note_harmonization_id_number_idx ON app.note (harmonization_id, number);
CREATE INDEX note_asked_id_idx ON app.note (asked_id);

ALTER TABLE app.decision_step ADD COLUMN via text, ADD COLUMN undone_by uuid, ADD COLUMN undone jsonb;
CREATE INDEX decision_step_harmonization_id_number_id_idx ON app.decision_step (harmonization_id, number, id);
