#!/bin/sh
# The command of the installed server, as its user and with its settings. install.sh puts it to /usr/local/bin/heyline. For root.
exec runuser -u heyline -- /usr/bin/node --env-file=/etc/heyline.env /opt/heyline/bin/heyline.js "$@"
