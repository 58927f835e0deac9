#!/bin/sh
# Makes the unpacked package of /opt/heyline a service of systemd, or starts it anew after an update: docs/deploy.md. For root.
#   sh /opt/heyline/deploy/install.sh demo.example
set -eu
settings=/etc/heyline.env
name=${1:-}
if [ ! -e "$settings" ] && [ -z "$name" ]; then
  echo "Say under which name people will open the pages: sh $0 demo.example" >&2
  exit 1
fi

random() { /usr/bin/node -p "crypto.randomBytes($1).toString('$2')"; }

# Says what is wrong with this Node, where something is.
/usr/bin/node /opt/heyline/bin/heyline.js --version >/dev/null
getent passwd heyline >/dev/null || useradd --system --user-group --no-create-home --shell /usr/sbin/nologin heyline
if [ ! -e "$settings" ]; then
  secret=$(random 32 base64)
  phone_key=$(random 16 hex)
  install -m 640 -g heyline /dev/stdin "$settings" <<END
PUBLIC_URL=https://$name
TRUST_PROXY=1
DATA_DIR=/var/lib/heyline
HEYLINE_SECRET=$secret
PHONE_KEY=$phone_key
END
fi
install -m 755 /opt/heyline/deploy/heyline.sh /usr/local/bin/heyline
install -m 644 /opt/heyline/deploy/heyline.service /etc/systemd/system/heyline.service
systemctl daemon-reload
systemctl enable heyline
systemctl restart heyline
