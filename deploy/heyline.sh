#!/bin/sh
# The command of the installed server, as its user and with its settings. install.sh puts it to /usr/local/bin/heyline. For root.
# No .env of the folder where it is run is one of its settings.
exec runuser -u heyline -- /usr/bin/env ENV_FILE=off /usr/bin/node --env-file=/etc/heyline.env /opt/heyline/bin/heyline.js "$@"
