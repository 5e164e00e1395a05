"""Turned and painted wood: kind = tops, skittles, gnomes or totem."""
from _base import *
KIND = opt('kind', 'tops')
P = M.PAL
def maple(seed, axis='Z', paint=None, **k): return M.maple(axis=axis, seed=seed, paint=paint, **{**dict(ring=8, coat=.08), **k})
def banded(seed, bands, base=None, **k):
    """maple with painted bands: [(z0, z1, colour)] in object space"""
    m = maple(seed, paint=None, **k); t = m.node_tree; g = M.G.__new__(M.G); g.m, g.t = m, t
    p = next(n for n in t.nodes if n.type == 'BSDF_PRINCIPLED'); src = p.inputs['Base Color'].links[0].from_socket
    c = g.coord(); z = g.math('MULTIPLY_ADD', g.math('SUBTRACT', g.noise(c, 6, 2), .5), .006, g.sep(c, 'Z')); fib = g.noise(g.coord(scale=(60, 60, 2.2)), .7, 4, .7)
    col = src
    for a, b, cc in bands:
        f = g.math('MULTIPLY', g.range(z, a - .004, a + .004), g.range(z, b - .004, b + .004, 1, 0))
        col = g.mix(g.math('MULTIPLY', f, g.range(fib, .25, .6, .80, .97)), col, cc)
    t.links.new(col, p.inputs['Base Color']); return m
# the cheap flat colour of bounced light would ignore the bands: harmless for small things
if KIND == 'tops':
    wide = [(0, 0), (.02, .012), (.05, .06), (.16, .11), (.30, .16), (.345, .20), (.345, .235), (.30, .265), (.12, .285), (.055, .31), (.045, .40), (.042, .62), (.052, .69), (.05, .735), (.02, .755), (0, .757)]
    tall = [(0, 0), (.018, .012), (.05, .08), (.12, .22), (.215, .40), (.255, .50), (.25, .57), (.20, .62), (.09, .65), (.05, .69), (.042, .80), (.042, .95), (.055, 1.0), (.045, 1.05), (.015, 1.065), (0, 1.066)]
    mid = [(0, 0), (.02, .012), (.06, .09), (.17, .20), (.27, .29), (.29, .36), (.27, .43), (.17, .48), (.07, .51), (.045, .56), (.04, .80), (.05, .85), (.045, .89), (.015, .905), (0, .906)]
    # tangent angle from the point to the flank
    def lean(prof):
        p = spline(prof, 400); p = p[p[:, 1] > .03]; return math.pi / 2 - max(math.atan2(r, z) for r, z in p)
    for prof, mat, loc, yaw, sd in ((wide, banded(1.1, [(.135, .165, P['indigo']), (.195, .24, P['indigo']), (.262, .274, P['ochre'])]), (-.50, -.30, 0), -.6, 1),
                                    (tall, banded(2.3, [(.20, .26, P['terracotta']), (.30, .33, P['ochre']), (.46, .58, P['terracotta'])]), (-.30, .46, 0), 1.75, 2),
                                    (mid, banded(3.1, [(.20, .235, P['sage']), (.30, .42, P['sage']), (.86, .92, P['sage'])]), (.22, -.36, 0), 1.1, 3)):
        o = lathe('top', prof, mat, 220, 192, wobble=.0015, rings=.0006, ringfreq=30, seed=sd); a = lean(prof)
        # axis tipped until the flank touches the table; the point stays at the origin
        move([o], loc, (a, 0, yaw)).location.z = .004
    cam = ((.02, -.02, .2), 5.2, 28, 0); foc = (0, -.5, .2)
elif KIND == 'skittles':
    cols = ['terracotta', 'ochre', 'sage', 'indigo', 'rose', 'ink']; pos = [(-.64, .46), (0, .50), (.64, .44), (-.34, -.04), (.32, 0), (.02, -.52)]
    for i, (c, (x, y)) in enumerate(zip(cols, pos)):
        w = 1 + .05 * rng.normal(); h = 1.3
        pr = [(0, 0), (.17, 0), (.19, .012), (.20, .05), (.235 * w, .24), (.255 * w, .42), (.225 * w, .60), (.135, .80), (.103, .92), (.105, 1.0), (.135, 1.10), (.142, 1.18), (.12, 1.26), (.06, 1.305), (0, 1.312)]
        o = lathe('pin', pr, banded(i * 1.3 + .4, [(.84, 1.02, P[c]), (.66, .685, P[c])]), 200, 128, wobble=.003, rings=.0007, ringfreq=24, seed=i); o.location = (x, y, .001); o.rotation_euler = (0, 0, i * 2.1)
    a = np.linspace(-math.pi / 2, math.pi / 2, 40); r = .27
    b = lathe('ball', [(r * math.cos(t), r * math.sin(t)) for t in a], M.walnut(axis='X', seed=.7, ring=12), sharp=True, segs=128, wobble=.002); b.location = (.72, -.66, r); b.rotation_euler = (.5, .3, .4)
    cam = ((.04, 0, .56), 7.0, 19, -6); foc = (0, -.35, .6)
elif KIND == 'gnomes':
    fam = [(1.30, 'indigo', 'terracotta', (-.46, .30), .1), (1.12, 'sage', 'ochre', (.26, .36), .6), (.92, 'ochre', 'indigo', (.70, -.22), 1.1), (.70, 'rose', 'sage', (-.04, -.50), 1.7)]
    if opt('row', 0.): fam = [(h, c, t, q, sd) for (h, c, t, _, sd), q in zip(fam, [(-.78, .06), (-.20, -.02), (.32, .04), (.74, -.04)])]   # by height, shoulder to shoulder
    for i, (h, coat, hat, (x, y), sd) in enumerate(fam):
        k = h / 1.3; w = .30 * (k * .8 + .24)
        body = [(0, 0), (w * .9, 0), (w * .985, .01), (w, .05), (w * .98, .16 * k), (w * .86, .40 * k), (w * .70, .56 * k), (w * .62, .62 * k), (w * .60, .645 * k), (w * .30, .66 * k), (0, .66 * k)]
        o = [lathe('coat', body, maple(sd, paint=P[coat]), 160, 128, wobble=.003, rings=.0006, ringfreq=24, seed=i)]
        r = w * .58; zc = .64 * k + r * .62
        a = np.linspace(-math.pi / 2, math.pi / 2, 40); hd = lathe('head', [(r * math.cos(t), r * math.sin(t)) for t in a], maple(sd + 3, ring=5), sharp=True, segs=96, wobble=.003, seed=i); hd.location.z = zc; o.append(hd)
        zb = zc + r * .16; hh = h - zb; q = r * 1.12
        hatp = [(0, .02), (q * .80, .0), (q * .97, -.012), (q * 1.03, .006), (q * 1.0, .03), (q * .80, hh * .28), (q * .52, hh * .55), (q * .26, hh * .80), (q * .12, hh * .95), (q * .05, hh * .992), (0, hh)]
        ht = lathe('hat', hatp, maple(sd + 5, paint=P[hat]), 160, 96, wobble=.004, rings=.0006, ringfreq=24, seed=i + 9); ht.location.z = zb; ht.rotation_euler = (rng.normal(0, .03) - .04, rng.normal(0, .03), 0); o.append(ht)
        n = lathe('nose', [(r * .22 * math.cos(t), r * .22 * math.sin(t)) for t in a], maple(sd + 7), sharp=True, segs=48, wobble=.004) if opt('nose', 0.) else None
        if n: n.location = (0, -r * .98, zc - r * .02); o.append(n)
        move(o, (x, y, .001), (0, 0, rng.uniform(-.5, .5)))
    cam = ((.10, 0, .58), 6.2, 15, 0); foc = (0, -.4, .6)
else:
    z = 0; specs = [(.56, .30, M.walnut(axis='X', seed=.4, ring=9), 0, .2), (.44, .26, M.maple(axis='X', seed=1.6, ring=9), .03, 1.1), (.35, .235, M.wood(light='#a9623f', dark='#6b3220', axis='X', ring=9, seed=2.2, pores=.3), -.035, 2.4), (.235, .175, maple(3.3, axis='X', paint=P['sage']), .015, 3.6)]
    a = np.linspace(-math.pi / 2, math.pi / 2, 60)
    for i, (R, h, m, dx, rz) in enumerate(specs):
        def pebble(V, T, p, i=i): V[..., 0] *= 1.10; V[..., 1] *= .92; V[..., :2] *= (1 + .035 * np.sin(2 * T + i * 2) + .02 * np.sin(3 * T + i))[..., None]; V[..., 2] += .05 * V[..., 0] * np.sin(i * 2.3); return V
        o = lathe('pebble', [(R * math.cos(t)**.82 if math.cos(t) > 0 else 0, h * math.sin(t)) for t in a], m, sharp=True, segs=160, wobble=.006, seed=i, warp=pebble)
        o.location = (dx, 0, z + h); o.rotation_euler = (0, 0, rz); z += 2 * h - .016
    cam = ((.05, 0, .96), 7.3, 12, 0); foc = (0, -.45, .9)
backdrop(M.plaster('#e2d8c8'), M.plaster())
window(); camera(*cam[:2], opt('elev', float(cam[2])), opt('azim', float(cam[3])), 85, 9 if KIND == 'tops' else 4.5, focus=foc); render('turned')
