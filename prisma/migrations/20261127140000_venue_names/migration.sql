ALTER TABLE "directory"."venue" ADD COLUMN "other_names" JSONB;
ALTER TABLE "directory"."venue" ADD COLUMN "other_names_norm" TEXT;
ALTER TABLE "directory"."venue" ADD COLUMN "temporarily_closed" BOOLEAN;

-- Only venues with other names are in it, so the others cost nothing.
CREATE INDEX "venue_point_other_names" ON "directory"."venue" USING gist (point, other_names_norm gist_trgm_ops)
    WHERE other_names_norm IS NOT NULL;

-- A venue is searched by the words of all its names, which "|" divides.
DROP INDEX "directory"."venue_words";
DROP FUNCTION "directory"."venue_words"(TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, POINT);
CREATE FUNCTION "directory"."venue_words"(
    name_norm TEXT, other_names_norm TEXT, address TEXT, cross_street TEXT, city TEXT, state TEXT, zip TEXT, category_id TEXT, point POINT
) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(
    array_remove(string_to_array(left(name_norm, 500) || coalesce(' ' || replace(other_names_norm, '|', ' '), ''), ' '), '')
    || left('=' || replace(regexp_replace(name_norm, '\m(and|the)\M', '', 'g'), ' ', ''), 100)
    || coalesce(string_to_array('=' || replace(replace(regexp_replace(other_names_norm, '\m(and|the)\M', '', 'g'), ' ', ''), '|', '|='), '|'), '{}')
    || string_to_array('@' || regexp_replace(translate(lower(left(
           coalesce(address, '') || ' ' || coalesce(cross_street, '') || ' ' || coalesce(city, '') || ' '
           || coalesce(state, '') || ' ' || coalesce(zip, ''), 500)),
         'áàâäãåāéèêëēíìîïīóòôöõøōúùûüūýÿçñš''’.', 'aaaaaaaeeeeeiiiiiooooooouuuuuyycns'),
         '[[:space:][:punct:]]+', ' @', 'g'), ' ')
    || ('#' || coalesce(category_id, ''))
    || ('~' || floor(point[0] * 5)::int || ',' || floor(point[1] * 5)::int)
    || ('^' || floor(point[0])::int || ',' || floor(point[1])::int)
);
CREATE INDEX "venue_words" ON "directory"."venue" USING gin (
    "directory"."venue_words"(name_norm, other_names_norm, address, cross_street, city, state, zip, category_id, point)
) WITH (gin_pending_list_limit = 512); -- kB: what an add may have to sort in before it is done

DROP MATERIALIZED VIEW "directory"."name_word";
CREATE MATERIALIZED VIEW "directory"."name_word" AS
    SELECT word COLLATE "C" AS word, count(*)::int AS venues
      FROM "directory"."venue", unnest(string_to_array(name_norm || coalesce(' ' || replace(other_names_norm, '|', ' '), ''), ' ')) AS word
     WHERE length(word) BETWEEN 3 AND 40
     GROUP BY 1;
CREATE UNIQUE INDEX "name_word_key" ON "directory"."name_word" (word);
CREATE INDEX "name_word_trgm" ON "directory"."name_word" USING gin (word gin_trgm_ops);
