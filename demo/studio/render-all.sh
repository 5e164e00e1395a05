#!/bin/sh
# ./render-all.sh [picture ...]: renders the pictures of pictures.txt into ../pictures; without names, those that are missing.
# RES and SPP: size in pixels and samples (default 1600 and 12). STUDIO_OUT: where the scratch files go (default: ./out).
here=$(cd "$(dirname "$0")" && pwd)
: "${STUDIO_OUT:=out}"; export STUDIO_OUT
names=" $* "
grep -vE '^(#|$)' "$here/pictures.txt" | while read -r key scene ev options; do
  if [ $# -gt 0 ]; then
    case "$names" in *" $key "*) ;; *) continue ;; esac
  elif [ -d "$here/../pictures/$key" ]; then continue; fi
  # shellcheck disable=SC2086
  "$here/shoot.sh" "$scene" "${RES:-1600}" "${SPP:-12}" "$ev" "_$key" $options < /dev/null || exit 1
  "$here/../../node_modules/.bin/node" "$here/../../scripts/demo-picture.ts" "$key" "$STUDIO_OUT/${scene}_$key.png" || exit 1
  rm -f "$STUDIO_OUT/${scene}_$key".?.exr
done
