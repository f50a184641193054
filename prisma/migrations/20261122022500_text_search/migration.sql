-- By hand: schema.prisma can say none of this.

-- The words by which a venue is searched, marked by what they are:
--   word of its name · =name without blanks · @word of its address · #category · ~small cell of the map · ^large cell
-- src/directory/venues/text-readings.ts and text-index.ts write the queries. A change here needs a new index.
CREATE FUNCTION "directory"."venue_words"(
    name_norm TEXT, address TEXT, cross_street TEXT, city TEXT, state TEXT, zip TEXT, category_id TEXT, point POINT
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

CREATE INDEX "venue_words" ON "directory"."venue" USING gin (
    "directory"."venue_words"(name_norm, address, cross_street, city, state, zip, category_id, point)
) WITH (gin_pending_list_limit = 512); -- kB: what an add may have to sort in before it is done

-- The words of all names, for those that are misspelt. As old as the last refresh of the places.
CREATE MATERIALIZED VIEW "directory"."name_word" AS
    SELECT word COLLATE "C" AS word, count(*)::int AS venues
      FROM "directory"."venue", unnest(string_to_array(name_norm, ' ')) AS word
     WHERE length(word) BETWEEN 3 AND 40
     GROUP BY 1;
CREATE UNIQUE INDEX "name_word_key" ON "directory"."name_word" (word);
CREATE INDEX "name_word_trgm" ON "directory"."name_word" USING gin (word gin_trgm_ops);
