"""Knits worked round a surface of revolution, every stitch modelled: kind = beanie (cuff, maybe a pompom) or cowl."""
from _base import *
KIND, COL, COL2, POM = opt('kind', 'beanie'), opt('col', '#cbb79a'), opt('col2', '#e0d2ba'), opt('pom', 0.)
m = M.wool(COL, COL2); n = 14
def knit(prof, ncol, pitch, R, seed, rib=0, side=1, squash=None, depth=.020):
    """prof: (radius, z) path along which rows run; ncol stitches round; rib = columns per rib that sink in turns"""
    C = spline(prof, 3000); arc = np.r_[0, np.cumsum(np.linalg.norm(np.diff(C, axis=0), axis=1))]; nrow = int(arc[-1] / pitch); pt = arc[-1] / nrow
    T = np.gradient(C, axis=0); T /= np.linalg.norm(T, axis=1, keepdims=True); NR = np.stack([T[:, 1], -T[:, 0]], 1) * side
    r = np.random.default_rng(seed); t = np.linspace(0, 2 * np.pi, n, endpoint=False); cols = np.arange(ncol)
    tt = (t[None] + 2 * np.pi * cols[:, None]).ravel(); J = np.arange(nrow)[:, None]; rep = lambda A: np.repeat(A, n, 1)
    jit = lambda a: rep(r.normal(0, a, (nrow, ncol)))
    v = tt[None] / (2 * np.pi) + .19 * np.sin(2 * tt)[None] + jit(.02)                      # in stitches
    u = (J + .5) * pt + .93 * pitch * np.cos(tt)[None] * (1 + jit(.05)) + jit(.0018)
    f = lambda A: np.interp(u, arc, A)
    rad = f(C[:, 0]); sc = np.clip(rad * 2 * np.pi / ncol / .104, .22, 1.3)                 # stitches narrow towards the crown
    h = (-depth * np.cos(2 * tt)[None] + jit(.0012)) * np.minimum(sc, 1)
    if rib: h = h + .030 * np.sign(np.sin((np.floor(tt / (2 * np.pi)) + .5) * np.pi / rib))[None] - .010
    th = v * 2 * np.pi / ncol
    h = h + .022 * fbm(np.cos(th) * 2 + 5, u * 1.6 + np.sin(th) * 2, 1., seed, 2)           # soft unevenness of the cloth
    rr, z = rad + f(NR[:, 0]) * h, f(C[:, 1]) + f(NR[:, 1]) * h
    P = np.stack([rr * np.cos(th), rr * np.sin(th), z], -1)
    if squash is not None: P = squash(P)
    Tg = np.gradient(P, axis=1); Tg /= np.linalg.norm(Tg, axis=2, keepdims=True) + 1e-9
    up = np.stack([f(NR[:, 0]) * np.cos(th), f(NR[:, 0]) * np.sin(th), f(NR[:, 1])], -1); B = np.cross(Tg, up); B /= np.linalg.norm(B, axis=2, keepdims=True) + 1e-9; N = np.cross(B, Tg)
    ph = np.arange(P.shape[1]) * .62; hue = np.clip(.5 + .25 * r.normal(size=(nrow, 1)) + .3 * fbm(u * 3, v * .4, 1., seed + 4), 0, 1); Rs = R * np.sqrt(np.clip(sc, .3, 1))
    for k in range(3):
        a = ph + k * 2.094; Q = P + (Rs * .57)[..., None] * (np.cos(a)[None, :, None] * N + np.sin(a)[None, :, None] * B)
        tubes(f'ply{k}', Q, Rs * .55, m, 6, normal=up, attr=hue)
    K = int(22 * nrow * ncol); i = r.integers(0, nrow, K), r.integers(2, P.shape[1] - 2, K); d = r.normal(size=(K, 3)); d /= np.linalg.norm(d, axis=1, keepdims=True)
    b0 = P[i] + d * R * .8; ln = np.minimum(r.gamma(2.2, .013, K), .05)[:, None]; w = d * .8 + Tg[i] * r.normal(0, .8, (K, 1)) + r.normal(0, .35, (K, 3))
    F = np.stack([b0 + w * ln * s - np.array([0, 0, .3]) * ln * s * s + r.normal(0, .1, (K, 3)) * ln * s for s in (0, .35, .7, 1.)], 1)
    tubes('fuzz', F, np.array([.0017, .0016, .0013, .0008]), m, 3, attr=np.full((K, 1), .7))
lining = M.plain('lining', COL, .55, 1.)
if KIND == 'beanie':
    def sq(P):   # a soft hat set down: a little oval, slumped to one side, sagging between crown and cuff
        x, y, z = P[..., 0], P[..., 1], P[..., 2]; k = np.clip((z - .5) / 1.1, 0, 1)
        x2 = x * 1.05 + .10 * k**2; y2 = y * .94 - .05 * k**2; a = np.arctan2(y, x)
        z2 = z * (1 - .05 * np.cos(a - .4) * k) + .035 * fbm(x * .8 + 3, y * .8, 1., 5, 2) * k
        s = 1 + .03 * np.sin(3 * a + 1.1) * np.clip(z, .2, 1); return np.stack([x2 * s, y2 * s, z2], -1)
    crown = [(.90, .20), (.93, .45), (.945, .75), (.91, 1.02), (.80, 1.27), (.60, 1.46), (.36, 1.565), (.14, 1.60), (.05, 1.60)]
    cuff = [(.90, .05), (.955, .03), (.995, .06), (1.005, .16), (1.01, .36), (1.0, .54), (.975, .575), (.945, .55)]
    knit(crown, 58, .072, .0265, 3, side=1, squash=sq)
    knit(cuff, 56, .072, .0275, 5, rib=2, side=1, squash=sq)
    V = spline([(.86, .12), (.88, .45), (.89, .75), (.86, 1.0), (.75, 1.23), (.56, 1.41), (.32, 1.515), (.1, 1.55), (0, 1.55)], 80)
    li = lathe('lining', V, lining, sharp=True, segs=128, wobble=0, warp=lambda V, T, p: sq(V))
    if POM:   # pompom: thousands of cut strands from one knot, trimmed to a ball
        r = np.random.default_rng(4); K = 6200; d = r.normal(size=(K, 3)); d /= np.linalg.norm(d, axis=1, keepdims=True); c = np.array([.11, -.05, 1.60 + POM * .72])
        ln = POM * (1 + .028 * r.normal(size=K)) * (1 + .05 * fbm(d[:, 0] * 2 + 4, d[:, 1] * 2 + d[:, 2] * 2, 1., 2)); s = np.linspace(0, 1, 9); bend = r.normal(0, .11, (K, 3))
        base = c + d * (ln * .30)[:, None]
        F = base[:, None] + d[:, None] * (ln * .70)[:, None, None] * s[None, :, None] + bend[:, None] * (ln[:, None, None] * (s**2)[None, :, None]) - np.array([0, 0, .06]) * (s**2)[None, :, None] * ln[:, None, None]
        a = np.arange(9) * .8
        for k in range(2):
            off = np.stack([np.cos(a + k * math.pi), np.sin(a + k * math.pi), 0 * a], 1)[None] * .0085
            tubes('pom', F + off, .0118, m, 5, normal=(.3, .2, .93), attr=r.uniform(.1, .95, (K, 1)))
        lathe('core', [(POM * .62 * math.cos(t), POM * .62 * math.sin(t)) for t in np.linspace(-1.57, 1.57, 24)], lining, sharp=True, segs=48, wobble=0).location = tuple(c)
    cam = ((.04, 0, .80 + .22 * bool(POM)), 7.6 + 1.2 * bool(POM), 13, 0); foc = (0, -.95, .7)
else:   # cowl: a soft tube set down in a ring, the wall slouching outwards, both edges rolling
    def sq(P):
        x, y, z = P[..., 0], P[..., 1], P[..., 2]; a = np.arctan2(y, x); k = np.clip(z, 0, 1)
        s = 1 + .05 * np.sin(2 * a + .6) + .04 * np.sin(3 * a + 2) * k + .02 * np.sin(5 * a + z * 2)
        z2 = z * (1 + .13 * np.sin(2 * a + 1.0) + .08 * np.sin(3 * a - .5)); fold = .045 * np.sin(z * 7.5 + 1.4 * np.sin(a * 1.0 + .5)) * np.clip(z * 4, 0, 1) * np.clip((1.0 - z) * 4, .2, 1)
        s = s + fold; return np.stack([x * s * 1.06, y * s * .98, np.maximum(z2, .022)], -1)
    wall = [(1.10, .10), (1.17, .045), (1.25, .08), (1.33, .22), (1.34, .36), (1.27, .50), (1.21, .60), (1.25, .68), (1.27, .745), (1.22, .79), (1.13, .77), (1.08, .66), (1.07, .50), (1.09, .20)]
    knit(wall, 76, .073, .0265, 6, side=1, squash=sq, depth=.022)
    V = spline([(1.13, .10), (1.22, .13), (1.28, .34), (1.20, .52), (1.17, .68), (1.13, .68), (1.12, .45), (1.13, .12)], 80)
    lathe('lining', V, lining, sharp=True, segs=128, wobble=0, warp=lambda V, T, p: sq(V))
    cam = ((0, 0, .34), 8.3, 28, 0); foc = (0, -1.1, .5)
move([o for o in bpy.context.collection.objects if o.type == 'MESH'], (0, 0, 0), (0, 0, math.radians(opt('yaw', 20.))))
backdrop(M.plaster('#e2d8c8'), M.plaster())
window(); camera(*cam[:2], opt('elev', float(cam[2])), opt('azim', float(cam[3])), 85, 5, focus=foc); render('knitted')
