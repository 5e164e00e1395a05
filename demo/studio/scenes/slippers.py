"""A pair of felted wool slippers with a bound edge and a leather sole."""
from _base import *
COL, EDGE = opt('col', '#55637c'), opt('edge', '#c8963e')
def felt(col, col2):
    g = M.G('felt'); c = g.coord(); n1 = g.noise(g.vadd(c, g.noise(c, 6, 3, color=True), .12), 16, 5, .7); n2 = g.noise(c, 70, 4, .75); big = g.noise(c, 2.2, 3)
    b = g.mix(g.ramp(n1, [(.35, 0.), (.68, .75)]), col, col2); b = g.mix(g.ramp(big, [(.3, 0.), (.7, .25)]), b, '#3b3733'); b = g.mix(.45, b, g.ramp(n2, [(.3, '#57504a'), (.7, '#fffaf2')]), 'OVERLAY')
    return g.pbr(cheap=col, Base_Color=b, Roughness=1., Specular=.05, Sheen=.7, Sheen_Tint=.5, Normal=g.bump(g.math('ADD', n1, g.math('MULTIPLY', n2, .5)), .45, .02))
fm, fe, fi = felt(COL, opt('col2', '#8793a6')), felt(EDGE, '#dcb873'), felt('#d8cbb4', '#efe6d6'); sole = M.leather('#a9713f', rough=.55)
OUT_ = [(0, -1.27), (.27, -1.17), (.375, -.88), (.355, -.35), (.40, .15), (.475, .62), (.40, 1.03), (.14, 1.28), (-.14, 1.29), (-.38, 1.06), (-.455, .62), (-.37, .12), (-.315, -.35), (-.36, -.88), (-.27, -1.17)]
NT, NV = 260, 70
def slipper(sgn, seed, loc, yaw):
    r = np.random.default_rng(seed); B = spline(np.array(OUT_) * [sgn, 1], NT, closed=True); d = np.roll(B, -1, 0) - np.roll(B, 1, 0); nn = np.stack([d[:, 1], -d[:, 0]], 1) * sgn; nn /= np.linalg.norm(nn, axis=1, keepdims=True)
    t = np.arange(NT) / NT * 2 * np.pi - np.pi / 2; O = np.stack([.275 * np.cos(t) * sgn, -.50 + .68 * np.sin(t)], 1); u = np.sin(t)
    zO = .53 + .15 * np.clip(-u, 0, 1)**2 + .24 * np.clip(u, 0, 1)**2.2 + .02 * np.sin(3 * t + seed); O[:, 0] += .012 * np.sin(2 * t + seed * 2)
    z0 = .075; P0 = np.c_[B, np.full(NT, z0)]; P3 = np.c_[O, zO]
    P1 = np.c_[B + nn * .10, z0 + .40 * zO]; P2 = np.c_[O + (B - O) * .50 + nn * .03, zO * (.99 - .14 * np.clip(u, 0, 1)) + .02]
    v = np.linspace(0, 1, NV)[:, None, None]; S = (1 - v)**3 * P0 + 3 * v * (1 - v)**2 * P1 + 3 * v * v * (1 - v) * P2 + v**3 * P3
    S = S + .016 * fbm(S[..., 0] * 1.4 + 7, S[..., 1] * 1.4 + S[..., 2], 1., seed, 3)[..., None] * np.array([1, .5, 1]) * np.clip(v * 5, 0, 1)
    I = np.arange(NT * NV).reshape(NV, NT); J = np.roll(I, -1, 1); Q = np.stack([I[:-1], J[:-1], J[1:], I[1:]], -1).reshape(-1, 4)
    if sgn < 0: Q = Q[:, ::-1]
    up = mesh('upper', S.reshape(-1, 3), np.ascontiguousarray(Q), fm); so = up.modifiers.new('s', 'SOLIDIFY'); so.thickness = .05; so.offset = -1
    rim = S[-1] + [0, 0, .006]; o = [up, wire('edge', np.vstack([rim[::4]]), .040, fe, 500, 20, closed=True)]
    # blanket stitches over the edge
    st = M.plain('yarn', '#efe6d4', 1, .95); q = []
    for k in range(0, NT, 5):
        c = rim[k]; w = np.append(nn[k], 0); a = np.linspace(-.5, math.pi * .9, 14); q.append(c + np.cos(a)[:, None] * w * .047 + np.sin(a)[:, None] * np.array([0, 0, .047]) - np.array([0, 0, .0]))
    tubes('stitch', np.array(q), .0085, st, 8, normal=(.2, .1, .97))
    sc = np.linspace(0, 1, 20); V = [np.c_[B + nn * x, np.full(NT, z)] for x, z in ((-.05, 0.), (.0, .0), (.018, .012), (.024, .035), (.018, .06), (.0, .075), (-.04, .078))]
    V = np.array(V); m = len(V); I = np.arange(m * NT).reshape(m, NT); J = np.roll(I, -1, 1); o.append(mesh('sole', V.reshape(-1, 3), np.stack([I[:-1], J[:-1], J[1:], I[1:]], -1).reshape(-1, 4), sole))
    o.append(mesh('insole', np.c_[B * [.99, .995], np.full(NT, .11)], [list(range(NT))], fi, smooth=False))
    # seam of the sole
    q = np.c_[B + nn * .026, np.full(NT, .062)]; o.append(wire('welt', q[::3], .010, st, 600, 8, closed=True)); o.append(bpy.context.collection.objects[[k.name for k in bpy.context.collection.objects if k.name.startswith('stitch')][-1]])
    # fuzz
    K = 26000; i = r.integers(0, NV, K), r.integers(0, NT, K); dn = r.normal(size=(K, 3)); dn /= np.linalg.norm(dn, axis=1, keepdims=True); b0 = S[i]; ln = np.minimum(r.gamma(2., .010, K), .04)[:, None]; c0 = np.array([0, -.1, .2]); rad = b0 - c0; rad /= np.linalg.norm(rad, axis=1, keepdims=True)
    w = dn * .9 + rad * .7; o.append(tubes('fuzz', np.stack([b0 + w * ln * s + r.normal(0, .12, (K, 3)) * ln * s for s in (0, .35, .7, 1.)], 1), np.array([.0014, .0013, .001, .0007]), fm, 3))
    return move(o, loc, (0, 0, math.radians(yaw)))
slipper(-1, 2, (.60, .16, .001), 180 - 16); slipper(1, 5, (-.55, .02, .001), 180 - 38)
backdrop(M.plaster('#e2d8c8'), M.plaster())
window(); camera((-.08, .0, .26), 8.7, opt('elev', 31.), opt('azim', 0.), 85, 6, focus=(0, -.6, .4)); render('slippers')
