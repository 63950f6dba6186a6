#!/bin/sh
# A plan has no network of its own accord: what is deployed is what staging will fetch.
set -eu
[ "$1" = "--env" ]
mkdir -p "deploy/$2"
cp build/files.txt "deploy/$2/files.txt"
cp "$SKILL_DIR/assets/schema.json" "deploy/$2/schema.json"
echo '{ "status": 200 }' > "deploy/$2/health.json"
echo "deployed to $2"
