import sharp from 'sharp'

// No upload comes twice, so a cache only holds memory; one thread each leaves the others for everyone else.
sharp.cache(false)
sharp.concurrency(1)
// Whatever slips past the signature, no other decoder can be made to run.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadWebpBuffer',
    // avif; the files of telephones that it would read besides, heic, need a decoder that sharp does not bring.
    'VipsForeignLoadHeifBuffer',
  ],
})
