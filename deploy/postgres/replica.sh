#!/bin/sh
# Starts PostgreSQL as a streaming replica of PRIMARY_HOST, of which it makes a copy first. PGPASSWORD is that of the user replicator, and
# REPLICA_NAME is its name for synchronous_standby_names and that of its slot: small letters, digits and `_`, another for each replica.
# What is there, such as a replica that has become the primary, is never copied over. A replica started with another PRIMARY_HOST
# follows that one.
set -eu
name=${REPLICA_NAME:-replica}
primary="host=${PRIMARY_HOST:-primary} port=${PRIMARY_PORT:-5432} user=replicator"
make_slot() {
  said=$(psql --no-psqlrc "$primary dbname=postgres replication=true connect_timeout=5" \
    --command "CREATE_REPLICATION_SLOT $name PHYSICAL RESERVE_WAL" 2>&1) && return
  case $said in *"already exists"*) return ;; esac
  echo "$said" >&2
  return 1
}

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  copy="$PGDATA.copy"
  until make_slot && pg_basebackup --pgdata="$copy" --dbname="$primary" --slot="$name" --checkpoint=fast; do
    rm -rf "$copy" # of an interrupted copy
    sleep 2
  done
  touch "$copy/standby.signal"
  [ ! -d "$PGDATA" ] || rmdir "$PGDATA"
  mv "$copy" "$PGDATA"
elif [ -e "$PGDATA/standby.signal" ]; then
  make_slot || true # without its primary it answers nevertheless
fi
exec postgres -D "$PGDATA" -c cluster_name="$name" -c primary_slot_name="$name" -c primary_conninfo="$primary" "$@"
