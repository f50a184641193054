#!/bin/sh
# Starts PostgreSQL as a streaming replica of `primary`, of which it makes a copy first. PGPASSWORD is that of the user replicator.
# What is there, such as a replica that has become the primary, is never copied over.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  copy="$PGDATA.copy"
  until pg_basebackup --pgdata="$copy" --host="${PRIMARY_HOST:-primary}" --port="${PRIMARY_PORT:-5432}" --username=replicator \
    --slot=replica --write-recovery-conf --checkpoint=fast; do
    rm -rf "$copy" # of an interrupted copy
    sleep 2
  done
  [ ! -d "$PGDATA" ] || rmdir "$PGDATA"
  mv "$copy" "$PGDATA"
fi
exec postgres -D "$PGDATA" "$@"
