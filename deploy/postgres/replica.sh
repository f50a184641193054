#!/bin/sh
# Starts PostgreSQL as a streaming replica of `primary`, of which it makes a copy first. PGPASSWORD is that of the user replicator.
set -eu
if [ ! -s "$PGDATA/standby.signal" ]; then
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  until pg_basebackup --pgdata="$PGDATA" --host="${PRIMARY_HOST:-primary}" --port="${PRIMARY_PORT:-5432}" --username=replicator \
    --slot=replica --write-recovery-conf --checkpoint=fast; do
    find "$PGDATA" -mindepth 1 -delete # of an interrupted copy
    sleep 2
  done
fi
exec postgres -D "$PGDATA" "$@"
