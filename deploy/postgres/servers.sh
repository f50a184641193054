#!/bin/sh
# For compose.scale.yaml, after owner.sh: the user of the servers, who owns nothing, the user of the replicas, and the owner's
# rights to promote one and to let it wait for no other.
set -eu
psql --username postgres --dbname postgres --quiet --set ON_ERROR_STOP=1 \
  --set server="$SERVER_PASSWORD" --set replication="$REPLICATION_PASSWORD" <<'SQL'
CREATE ROLE samespot_server LOGIN NOSUPERUSER PASSWORD :'server';
GRANT samespot_app, samespot_directory TO samespot_server;
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'replication';
\connect samespot
GRANT EXECUTE ON FUNCTION pg_promote, pg_reload_conf TO samespot;
GRANT ALTER SYSTEM ON PARAMETER synchronous_standby_names TO samespot;
SQL
echo "host replication replicator all scram-sha-256" >> "$PGDATA/pg_hba.conf"
