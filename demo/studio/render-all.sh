#!/bin/sh
# ./render-all.sh [picture ...]: renders the pictures of pictures.txt into ../pictures; without names, those that are missing.
# RES and SPP: size in pixels and samples (default 800 and 36). STUDIO_OUT: where the scratch files go (default: ./out).
here=$(cd "$(dirname "$0")" && pwd)
: "${STUDIO_OUT:=out}"; export STUDIO_OUT
names=" $* "
grep -vE '^(#|$)' "$here/pictures.txt" | while read -r key scene ev options; do
  jpg="$here/../pictures/$key.jpg"
  if [ $# -gt 0 ]; then
    case "$names" in *" $key "*) ;; *) continue ;; esac
  elif [ -f "$jpg" ]; then continue; fi
  # shellcheck disable=SC2086
  "$here/shoot.sh" "$scene" "${RES:-800}" "${SPP:-36}" "$ev" "_$key" $options < /dev/null || exit 1
  /usr/bin/python3 - "$STUDIO_OUT/${scene}_$key.png" "$STUDIO_OUT/$key.jpg" << 'PY' && mv "$STUDIO_OUT/$key.jpg" "$jpg" || exit 1
import sys
from PIL import Image
Image.open(sys.argv[1]).save(sys.argv[2], quality=82, optimize=True, progressive=True)
PY
done
