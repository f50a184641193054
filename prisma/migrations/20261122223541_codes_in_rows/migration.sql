-- Without a transaction: each stretch is one of its own, so that no listing is locked for longer than a moment, however many
-- there are. Cut short, it is run again from the beginning, and passes over what has been done.
DO $$
DECLARE
  h record;
  at bigint;
BEGIN
  FOR h IN SELECT id, (SELECT max(number) FROM app.listing WHERE harmonization_id = id) AS last FROM app.harmonization LOOP
    FOR at IN SELECT generate_series(0, h.last, 5000) LOOP
      LOOP
        BEGIN
          -- The triggers make codes of what is written as it is.
          UPDATE app.listing SET reason = reason
           WHERE harmonization_id = h.id AND number > at AND number <= at + 5000 AND reason IS NOT NULL;
          UPDATE app.listing SET annotation_error = annotation_error
           WHERE harmonization_id = h.id AND number > at AND number <= at + 5000 AND annotation_error IS NOT NULL;
          UPDATE app.listing SET problem = problem
           WHERE harmonization_id = h.id AND number > at AND number <= at + 5000 AND problem ? 'message';
          EXIT;
        EXCEPTION WHEN deadlock_detected THEN NULL; -- somebody else goes first
        END;
      END LOOP;
      COMMIT;
    END LOOP;
  END LOOP;
  FOR at IN SELECT generate_series((SELECT min(id) FROM app.decision_step), (SELECT max(id) FROM app.decision_step), 10000) LOOP
    UPDATE app.decision_step SET before = before - 'reason'
        || jsonb_build_object('why', app.reason_in_code(before->>'reason', before->>'decision'))
     WHERE id >= at AND id < at + 10000 AND before->>'reason' IS NOT NULL;
    COMMIT;
  END LOOP;

  -- Without a look at the rows, which would lock the table for as long as that takes; the look comes afterwards.
  ALTER TABLE app.listing DROP CONSTRAINT IF EXISTS listing_codes;
  ALTER TABLE app.listing ADD CONSTRAINT listing_codes CHECK (reason IS NULL AND annotation_error IS NULL
    AND (problem IS NULL OR coalesce(problem->>'code' ~ '^[a-z_]+$', false))
    AND (why IS NULL OR coalesce(why->>'code' ~ '^[a-z_]+$', false))
    AND (annotation_problem IS NULL OR coalesce(annotation_problem->>'code' ~ '^[a-z_]+$', false))) NOT VALID;
  COMMIT;
  ALTER TABLE app.listing VALIDATE CONSTRAINT listing_codes;
END $$;
