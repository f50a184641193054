-- Reasons and problems become codes with parameters; src/harmonize/run/words.ts words them. Nothing here takes longer where
-- there are more listings: those that are there are rewritten by the next migration.

-- AlterTable. Each process writes its row again within ten seconds.
ALTER TABLE "app"."instance" DROP COLUMN "problems",
ADD COLUMN     "problems" JSONB[] DEFAULT ARRAY[]::JSONB[];

-- AlterTable
ALTER TABLE "app"."listing" ADD COLUMN     "annotation_problem" JSONB,
ADD COLUMN     "why" JSONB;

-- By hand from here on: what older versions wrote, and may write while some of their processes still run, as codes. It goes
-- with the columns "reason" and "annotation_error".

-- A problem `{ code?, message, column?, value?, at? }`. What is no known sentence becomes `told`, or is the directory's.
CREATE FUNCTION app.problem_in_code(old jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  said text := old->>'message';
  about jsonb := jsonb_strip_nulls(jsonb_build_object('column', old->'column', 'value', old->'value', 'at', old->'at'));
  found jsonb;
  kind text;
  words text;
  m text[];
BEGIN
  found := CASE said
    WHEN 'This listing has no name.' THEN '{"code": "no_name"}'
    WHEN 'name holds characters that cannot be stored.' THEN '{"code": "bad_name", "rule": "storable"}'
    WHEN 'name may have at most 200 characters.' THEN '{"code": "bad_name", "rule": "length"}'
    WHEN 'name must hold a letter or a digit.' THEN '{"code": "bad_name", "rule": "letters"}'
    WHEN 'There is no such position. Latitude goes from -90 to 90, longitude from -180 to 180.' THEN '{"code": "position_out_of_range"}'
    WHEN 'This listing has neither a position nor a town.' THEN '{"code": "no_place"}'
    WHEN 'It has no name that a venue can have.' THEN '{"code": "unusable_name"}'
    WHEN 'It has no position.' THEN '{"code": "unplaced"}'
    WHEN 'It has no category. Choose one for all that have none.' THEN '{"code": "no_category"}'
    WHEN 'It is not known whether this was added. Look before adding it again.' THEN '{"code": "add_unknown"}'
    WHEN 'The positions of this file look wrong. Say that they are right, or begin again with them put right. Nothing is added until then.' THEN '{"code": "positions_unanswered"}'
    WHEN 'No provider id is reserved for this Samespot. Whoever runs it needs to set PROVIDER_ID.' THEN '{"code": "no_provider"}'
    WHEN 'The directory no longer accepts our access to your account. Connect again, then try once more.' THEN '{"code": "not_connected"}'
  END::jsonb;
  IF found IS NOT NULL THEN RETURN about || found; END IF;

  m := regexp_match(said, '^Line (\d{1,9}): (.*)\.$');
  kind := CASE m[2]
    WHEN 'a quote is opened and not closed' THEN 'open'
    WHEN 'something stands between a closing quote and the next cell (a quote inside quotes is written "")' THEN 'trailing'
    WHEN 'the line is longer than a million characters' THEN 'long'
    WHEN 'the line has more than 20000 cells' THEN 'many' END;
  IF kind IS NOT NULL THEN RETURN about || jsonb_build_object('code', 'unreadable_line', 'line', m[1]::int, 'why', kind); END IF;
  m := regexp_match(said, '^This line has (\d{1,9}) cells, but the table (\d{1,9}) columns\.$');
  IF m IS NOT NULL THEN
    RETURN '{"value": ""}' || about || jsonb_build_object('code', 'too_many_cells', 'cells', m[1]::int, 'columns', m[2]::int);
  END IF;
  m := regexp_match(said, '^“(.*)” holds bytes that are no text in the encoding of the file; they are shown as \uFFFD\.$');
  IF m IS NOT NULL THEN RETURN '{"value": ""}' || about || jsonb_build_object('code', 'undecodable', 'column', m[1]); END IF;
  m := regexp_match(said, '^“(.*)” is no position\.$');
  IF m IS NOT NULL THEN RETURN jsonb_build_object('value', m[1]) || about || '{"code": "no_position"}'; END IF;
  m := regexp_match(said, '^There is no such position\. Latitude (-?\d[\d.e+-]*), longitude (-?\d[\d.e+-]*): are they swapped\?$');
  IF m IS NOT NULL THEN
    RETURN about || jsonb_build_object('code', 'position_out_of_range', 'swapped',
      jsonb_build_object('lat', m[1]::numeric, 'lng', m[2]::numeric));
  END IF;
  m := regexp_match(said, '^The program ended (\d{1,4}) times while it worked on this listing, so it was left out\. Run it again, or take it out of the file\.$');
  IF m IS NOT NULL THEN RETURN about || jsonb_build_object('code', 'ended_worker', 'times', m[1]::int); END IF;
  m := regexp_match(said, '^The directory has no category “(.*)”\. Choose one for all that have none\.$');
  IF m IS NOT NULL THEN RETURN jsonb_build_object('value', m[1]) || about || '{"code": "no_category"}'; END IF;
  m := regexp_match(said, '^Its position, (-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?), is ([\d,]{1,9}) km from (.*)\. Look at it before you add it\.$');
  IF m IS NOT NULL THEN
    RETURN about || jsonb_build_object('code', 'implausible_position', 'll', jsonb_build_object('lat', m[1]::numeric, 'lng', m[2]::numeric),
      'km', replace(m[3], ',', '')::int, 'place', m[4]);
  END IF;
  m := regexp_match(said, '^It is decided already that this listing is “(.*)”\. Undo that first\.$');
  IF m IS NOT NULL THEN RETURN about || jsonb_build_object('code', 'decided', 'venue', m[1]); END IF;
  m := regexp_match(said, '^“(.*)” was added to the directory, but somebody decided otherwise about the listing meanwhile\.$');
  IF m IS NOT NULL THEN RETURN about || jsonb_build_object('code', 'decided_meanwhile', 'venue', m[1]); END IF;
  m := regexp_match(said, '^Already on the venue “(.*)” \((.*)\), where this file put it before its match was corrected\. Ask the directory to remove it there, then annotate again\.$');
  IF m IS NOT NULL THEN RETURN about || jsonb_build_object('code', 'already_on', 'name', m[1], 'id', m[2], 'isOurs', true); END IF;
  m := regexp_match(said, '^Already on the venue “(.*)” \((.*)\)\.$');
  IF m IS NOT NULL THEN RETURN about || jsonb_build_object('code', 'already_on', 'name', m[1], 'id', m[2]); END IF;
  m := regexp_match(said, '^A file may have ([\d,]{1,13}) rows\. Split it and send its parts after each other\.$');
  IF m IS NOT NULL THEN RETURN about || jsonb_build_object('code', 'too_many_rows', 'most', replace(m[1], ',', '')::bigint); END IF;

  FOR kind, words IN VALUES
    ('unreachable', 'The venue directory does not answer just now. Please try again in a moment.'),
    ('refused_token', 'The venue directory no longer accepts our access to your account. Please connect again.'),
    ('refused_client', 'The venue directory does not accept this server as an application. Whoever runs it needs to look at that.'),
    ('not_enabled', 'The venue directory does not let this server do this. The person who runs this server has to ask the directory''s operator.'),
    ('rejected', 'The venue directory did not accept this request.'),
    ('not_found', 'The venue directory has nothing under this name. It may have been removed.'),
    ('invalid_answer', 'The venue directory sent an answer that cannot be read. Please try again in a moment.'),
    ('rate_limited', 'The venue directory asks us to slow down.'),
    ('duplicate', 'The venue directory already has a venue that looks like this one.'),
    ('conflict', 'The venue directory has this listing''s id on another venue already. One listing is one venue.')
  LOOP
    IF said = words THEN RETURN about || jsonb_build_object('code', kind); END IF;
    m := CASE WHEN starts_with(said, words) THEN
      regexp_match(substr(said, length(words) + 1), '^ Please try again in (\d{1,7}) (second|minute)s?\.$') END;
    IF m IS NOT NULL THEN
      RETURN about || jsonb_build_object('code', kind, 'wait', m[1]::int * CASE m[2] WHEN 'minute' THEN 60 ELSE 1 END);
    END IF;
    IF old->>'code' = kind THEN found := jsonb_build_object('code', kind, 'said', said); END IF;
  END LOOP;
  RETURN about || coalesce(found, jsonb_build_object('code', 'told', 'said', coalesce(said, '')));
END $$;

-- A reason. What is no sentence of ours is what the directory said for the venue that somebody chose.
CREATE FUNCTION app.reason_in_code(old text, decision text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  found jsonb := CASE old
    WHEN 'found by hand' THEN '{"code": "found_by_hand"}'
    WHEN 'no venue is like it' THEN '{"code": "none_alike", "venues": 0}'
    WHEN 'not the one venue like it' THEN '{"code": "none_alike", "venues": 1}'
    WHEN 'none of the venues like it' THEN '{"code": "none_alike"}'
    WHEN 'added as new' THEN '{"code": "added"}'
    WHEN 'added as new, with all that had no match' THEN '{"code": "added_with_others"}'
    WHEN 'It is not known whether this was added. Look before adding it again.' THEN '{"code": "add_unknown"}'
    WHEN 'found when it was to be added' THEN '{"code": "found_before_adding", "said": []}'
  END::jsonb;
  m text[];
BEGIN
  IF old IS NULL OR found IS NOT NULL THEN RETURN found; END IF;
  m := regexp_match(old, '^none of the (\d{1,9}) venues like it$');
  IF m IS NOT NULL THEN RETURN jsonb_build_object('code', 'none_alike', 'venues', m[1]::int); END IF;
  m := regexp_match(old, '^found when it was to be added; (.*)$');
  IF m IS NOT NULL THEN RETURN jsonb_build_object('code', 'found_before_adding', 'said', string_to_array(m[1], '; ')); END IF;
  IF decision = 'matched' THEN RETURN jsonb_build_object('code', 'evidence', 'said', string_to_array(old, '; ')); END IF;
  RETURN jsonb_build_object('code', 'told', 'said', old);
END $$;

CREATE FUNCTION app.task_in_code(task jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT task
    || CASE WHEN jsonb_typeof(task->'problem') = 'string' THEN
         jsonb_build_object('problem', app.problem_in_code(jsonb_build_object('message', task->'problem'))) ELSE '{}' END
    || CASE WHEN jsonb_typeof(task->'refusal') = 'string' THEN
         jsonb_build_object('refusal', app.problem_in_code(jsonb_build_object('code', 'not_enabled', 'message', task->'refusal'))) ELSE '{}' END
$$;

CREATE FUNCTION app.trial_in_code(trial jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT trial
    || CASE WHEN jsonb_typeof(trial->'error') = 'string' THEN
         jsonb_build_object('error', app.problem_in_code(jsonb_build_object('message', trial->'error'))) ELSE '{}' END
    || jsonb_build_object('examples', (SELECT coalesce(jsonb_agg(CASE WHEN e->>'outcome' = 'failed' AND e->'reasons'->0 IS NOT NULL
         THEN e || jsonb_build_object('reasons', '[]'::jsonb, 'problem', app.problem_in_code(jsonb_build_object('message', e->'reasons'->0)))
         ELSE e END ORDER BY n), '[]') FROM jsonb_array_elements(trial->'examples') WITH ORDINALITY AS each(e, n)))
$$;

-- No process of this version names these columns, so the first two are run for older ones alone.
CREATE FUNCTION app.code_reason() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  NEW.why := app.reason_in_code(NEW.reason, NEW.decision::text);
  NEW.reason := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER listing_code_reason BEFORE UPDATE OF reason ON app.listing
  FOR EACH ROW EXECUTE FUNCTION app.code_reason();

CREATE FUNCTION app.code_annotation() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  NEW.annotation_problem := CASE WHEN NEW.annotation_error IS NOT NULL THEN
    app.problem_in_code(jsonb_build_object('message', NEW.annotation_error)) END;
  NEW.annotation_error := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER listing_code_annotation BEFORE UPDATE OF annotation_error ON app.listing
  FOR EACH ROW EXECUTE FUNCTION app.code_annotation();

CREATE FUNCTION app.code_problem() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  NEW.problem := app.problem_in_code(NEW.problem);
  RETURN NEW;
END $$;
CREATE TRIGGER listing_code_problem BEFORE UPDATE OF problem ON app.listing
  FOR EACH ROW WHEN (NEW.problem ? 'message') EXECUTE FUNCTION app.code_problem();

-- Afterwards, because COPY writes rows one by one where there is a trigger before.
CREATE FUNCTION app.code_inserted_problem() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE app.listing SET problem = problem WHERE harmonization_id = NEW.harmonization_id AND number = NEW.number;
  RETURN NULL;
END $$;
CREATE TRIGGER listing_code_inserted_problem AFTER INSERT ON app.listing
  FOR EACH ROW WHEN (NEW.problem ? 'message') EXECUTE FUNCTION app.code_inserted_problem();

CREATE FUNCTION app.code_task() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  NEW.task := app.task_in_code(NEW.task);
  RETURN NEW;
END $$;
CREATE TRIGGER harmonization_code_task BEFORE INSERT OR UPDATE OF task ON app.harmonization
  FOR EACH ROW WHEN (jsonb_typeof(NEW.task->'problem') = 'string' OR jsonb_typeof(NEW.task->'refusal') = 'string')
  EXECUTE FUNCTION app.code_task();

CREATE FUNCTION app.code_trial() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  NEW.trial := app.trial_in_code(NEW.trial);
  RETURN NEW;
END $$;
CREATE TRIGGER harmonization_code_trial BEFORE INSERT OR UPDATE OF trial ON app.harmonization
  FOR EACH ROW WHEN (jsonb_typeof(NEW.trial->'error') = 'string'
    OR jsonb_path_exists(NEW.trial, '$.examples[*] ? (@.outcome == "failed").reasons[*]'))
  EXECUTE FUNCTION app.code_trial();

-- One row for each file: few.
UPDATE app.harmonization SET task = task
 WHERE jsonb_typeof(task->'problem') = 'string' OR jsonb_typeof(task->'refusal') = 'string';
UPDATE app.harmonization SET trial = trial
 WHERE jsonb_typeof(trial->'error') = 'string' OR jsonb_path_exists(trial, '$.examples[*] ? (@.outcome == "failed").reasons[*]');
