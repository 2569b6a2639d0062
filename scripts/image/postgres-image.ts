import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { importImage } from "./node-base-image.ts";

/**
 * As much of what the official image does as a compose file needs: makes a database of POSTGRES_USER's when PGDATA is empty,
 * and serves it.
 */
const entrypoint = `#!/bin/sh
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  echo "$POSTGRES_PASSWORD" >/tmp/password
  initdb --pgdata="$PGDATA" --username="$POSTGRES_USER" --pwfile=/tmp/password --auth=scram-sha-256 --locale=C --encoding=UTF8
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "CREATE DATABASE $POSTGRES_USER;" | postgres --single -D "$PGDATA" postgres
fi
exec postgres -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories=/tmp
`;

/**
 * Makes an image of the PostgreSQL that is installed here, where no registry of images can be reached.
 *
 * @param programs - the folder of its programs, as Debian installs them: `/usr/lib/postgresql/15/bin`
 */
export function importPostgresImage(name: string, programs: string): void {
  const installed = dirname(programs);
  const shared = installed.replace("/lib/", "/share/");
  importImage(name, {
    programs: Object.fromEntries(
      ["/bin/sh", ...["postgres", "initdb", "pg_isready"].map((program) => join(programs, program))].map(
        (program) => [program, program],
      ),
    ),
    changes: [`ENV PATH=${programs}:/bin`, 'ENTRYPOINT ["/bin/sh", "/entrypoint.sh"]', "USER 999:999"],
    add(root) {
      // Programs look for both from where they are.
      for (const folder of [join(installed, "lib"), shared])
        cpSync(folder, join(root, folder), { recursive: true, dereference: true });
      writeFileSync(join(root, "etc/passwd"), "postgres:x:999:999::/tmp:/bin/sh\n");
      writeFileSync(join(root, "entrypoint.sh"), entrypoint);
      mkdirSync(join(root, "var/lib/postgresql/data"), { recursive: true });
    },
    writable: ["/var/lib/postgresql/data"],
  });
}
