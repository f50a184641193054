-- In the background: with every call the directory looks whether its user has held venues.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "venue_proposal_user_id_state_idx" ON "directory"."venue_proposal"("user_id", "state");
