#!/bin/sh
grep -q '"status": 200' deploy/staging/health.json
