import sharp from 'sharp'

// No upload repeats, so a cache only costs memory. One thread each leaves the others to other requests.
sharp.cache(false)
sharp.concurrency(1)
// Blocks all other decoders, even if the signature check fails.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadWebpBuffer',
    // avif. It also covers heic, whose decoder sharp does not include.
    'VipsForeignLoadHeifBuffer',
  ],
})
