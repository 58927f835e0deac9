#!/bin/sh
# Becomes systemd, as the first process of namespaces of its own: sh bare-machine.sh FOLDER REPOSITORY. What it may change is in memory, and gone
# with it: /etc (a copy), /opt, /root, /run, /tmp, /usr/local/bin, /var/lib, /var/log. FOLDER is /mnt there, REPOSITORY /srv. The services are those that
# are installed there, and Debian's Caddy.
set -eu
folder=$1
repository=$2

mount --make-rprivate /
ip link set lo up
mount -t proc proc /proc
mount --bind "$repository" /srv
mount -o remount,bind,ro /srv
mount --bind "$folder" /mnt
for place in /opt /root /run /tmp /usr/local/bin /var/lib /var/log; do mount -t tmpfs -o mode=755 tmpfs "$place"; done
chmod 1777 /tmp
cp -a /etc /run/etc
rm -rf /run/etc/systemd/system /run/etc/heyline.env
mkdir -p /run/etc/systemd/system
mount --bind /run/etc /etc
install -d -o caddy -g caddy /var/lib/caddy /run/etc/caddy
if mountpoint -q /sys/fs/cgroup; then umount -R /sys/fs/cgroup; fi
mount -t cgroup2 cgroup2 /sys/fs/cgroup

mkdir -p /run/units/service.d
for target in sysinit basic network network-online shutdown; do
  printf '[Unit]\nDescription=%s\nDefaultDependencies=no\n' "$target" >"/run/units/$target.target"
done
printf '[Unit]\nDescription=All\nDefaultDependencies=no\n[Install]\nAlias=default.target\n' >/run/units/multi-user.target
printf '[Service]\nStandardOutput=append:/mnt/said\nStandardError=append:/mnt/said\n' >/run/units/service.d/said.conf
cp /lib/systemd/system/caddy.service /run/units
touch /run/console
mount --bind /run/console /dev/console

mount -o remount,bind,ro /
hostname bare-machine
export container=heyline-test SYSTEMD_UNIT_PATH=/etc/systemd/system:/run/units
exec /lib/systemd/systemd --system --unit=multi-user.target --show-status=no
