-- In the background: the indexes of the edited migrations, see the migration before this one.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "place_name_trgm" ON "directory"."place" USING GIN ("name_norm" gin_trgm_ops);
CREATE INDEX CONCURRENTLY IF NOT EXISTS "checkin_user_id_venue_id_idx" ON "directory"."checkin"("user_id", "venue_id");
CREATE INDEX CONCURRENTLY IF NOT EXISTS "authorization_request_client_id_idx" ON "directory"."authorization_request"("client_id");
CREATE INDEX CONCURRENTLY IF NOT EXISTS "account_directory_last_login_at_idx" ON "app"."account"("directory", "last_login_at");
