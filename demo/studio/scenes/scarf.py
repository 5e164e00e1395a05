"""Chunky hand-knit scarf, every stitch modelled: stockinette loops on a folded sheet, plied yarn, fuzz, fringe."""
from _base import *
COL, COL2 = opt('col', '#a9694f'), opt('col2', '#bd8165')
W, PITCH, D, R = .104, .071, .020, .0245          # stitch width, row pitch, loop depth, yarn radius
L, NCOL, LAY, GAP = 1.75, 15, 4, .118
r = GAP / 2
# --- side profile of the fold: straight layers joined by half circles, last layer drapes over the front edge
prof = []
for k in range(LAY):
    x0, x1 = (L / 2, -L / 2) if k % 2 else (-L / 2, L / 2); z = .065 + k * GAP
    e = rng.normal(0, .025)
    prof += [(x, z + .012 * math.sin(x * 3 + k * 2)) for x in np.linspace(x0, x1 + e, 14)]
    if k < LAY - 1:
        s = 1 if x1 > 0 else -1
        prof += [(x1 + e + s * r * 1.25 * math.sin(a), z + r - r * math.cos(a)) for a in np.linspace(.35, math.pi - .35, 5)]
xe, ze = prof[-1]; s = np.sign(xe)
prof += [(xe + s * .075 * math.sin(a), ze - .075 + .075 * math.cos(a)) for a in (.5, 1., 1.5)] + [(xe + s * (.085 + .01 * i), ze - .1 - .05 * i) for i in range(1, 3)]
N = 4000; C = spline(prof, N); arc = np.r_[0, np.cumsum(np.linalg.norm(np.diff(C, axis=0), axis=1))]; nrow = int(arc[-1] / PITCH)
T = np.gradient(C, axis=0); T /= np.linalg.norm(T, axis=1, keepdims=True); NR = np.stack([-T[:, 1], T[:, 0]], 1)
def place(u, v, h):
    """sheet coords: u along scarf, v across, h height off the sheet -> xyz, with handmade drift"""
    f = lambda A: np.interp(u, arc, A)
    x, z, nx, nz = f(C[:, 0]), f(C[:, 1]), f(NR[:, 0]), f(NR[:, 1]); sgn = np.where(nz < 0, 1, 1)
    y = v + .035 * fbm(u, u * 0, .9, 2) + .010 * fbm(u, v, 4, 3)
    z2 = z + nz * h + .05 * fbm(x, v, 1.1, 6, 2) * np.clip(z * 3, 0, 1) - .05 * np.clip(z * 2.5, 0, 1) * (np.abs(v) / (NCOL * W / 2))**4 - .03 * np.clip(np.abs(x) / (L / 2), 0, 1)**6 * np.clip(z * 2.5, 0, 1) + .01 * fbm(u * 2, v * 2, 1.5, 9)
    return np.stack([x + nx * h + .02 * fbm(v, u * .3, 1.2, 8), y, np.maximum(z2, .02)], -1)
n = 16; t = np.linspace(0, 2 * np.pi, n, endpoint=False); cols = np.arange(NCOL)
tt = (t[None] + 2 * np.pi * cols[:, None]).ravel(); J = np.arange(nrow)[:, None]
jit = lambda a, m=1: rng.normal(0, a, (nrow, NCOL * m))
rep = lambda A: np.repeat(A, n, 1)
v = (tt / (2 * np.pi))[None] * W + .19 * W * np.sin(2 * tt)[None] - NCOL * W / 2 + rep(jit(.0022))
u = (J + .5) * PITCH + .066 * np.cos(tt)[None] * (1 + rep(jit(.05))) + rep(jit(.0018))
side = -1                                                          # knit face up on visible layers
h = -D * np.cos(2 * tt)[None] * 1.0 + rep(jit(.0012))
P = place(u, v, h * side)
Tg = np.gradient(P, axis=1); Tg /= np.linalg.norm(Tg, axis=2, keepdims=True); up = np.array([.2, .3, .93])
B = np.cross(Tg, up); B /= np.linalg.norm(B, axis=2, keepdims=True); Nn = np.cross(B, Tg)
ph = np.arange(P.shape[1]) * .62; m = M.wool(COL, COL2); hue = np.clip(.5 + .35 * rng.normal(size=(nrow, 1)) + .25 * fbm(u * 3, v * 3, 1., 4), 0, 1)
for k in range(3):
    a = ph + k * 2.094; Q = P + R * .57 * (np.cos(a)[None, :, None] * Nn + np.sin(a)[None, :, None] * B)
    tubes(f'ply{k}', Q, R * .53 * (1 + rng.normal(0, .05, Q.shape[:2])), m, 6, attr=hue)
def strands(n, k, fn):  # fringe
    return np.stack([fn(np.linspace(0, 1, k)) for _ in range(n)])
E0 = place(np.array([arc[-1] - .02] * 1), np.zeros(1), np.zeros(1))[0]; fr = []
for q in np.linspace(-NCOL * W / 2 + .06, NCOL * W / 2 - .06, 10):
    for i in range(4):
        a, b, c = rng.normal(0, .022, 3); ln = E0[2] + .10 + rng.uniform(-.06, .06); s0 = np.linspace(0, 1, 26)
        x = E0[0] + s * (.012 + .05 * s0 + .03 * i * s0 * .3 + np.maximum(0, s0 * ln - E0[2] + .03) * (1.0 + 4 * a)); z = np.maximum(E0[2] + .01 - s0 * ln, .022 + .012 * (i % 2)); pinch = np.exp(-((s0 - .16) / .06)**2)
        y = q + (b * 1.2 * s0 + (i - 1.5) * .020 * (1 - .6 * pinch) * (.5 + s0)) + .012 * np.sin(s0 * 5 + c * 90)
        fr.append(np.stack([x, y, z], 1))
fr = np.array(fr); fa = rng.uniform(.2, .8, (len(fr), 1)); a = np.arange(26) * .7
for k in range(3):
    Q = fr + np.stack([np.cos(a + k * 2.094), np.sin(a + k * 2.094), 0 * a], 1)[None] * .0095
    tubes(f'fringe{k}', Q, .0115, m, 6, normal=(1, 0, .1), attr=fa)
# --- fuzz: stray fibres
K = 120000; pi = rng.integers(0, nrow, K), rng.integers(2, P.shape[1] - 2, K); d = rng.normal(size=(K, 3)); d /= np.linalg.norm(d, axis=1, keepdims=True)
b0 = P[pi] + d * R * .8; tg = Tg[pi]; ln = np.minimum(rng.gamma(2.2, .014, K), .055)[:, None]; w = d * .8 + tg * rng.normal(0, .8, (K, 1)) + rng.normal(0, .35, (K, 3))
F = np.stack([b0 + w * ln * s - np.array([0, 0, .3]) * ln * s * s + rng.normal(0, .1, (K, 3)) * ln * s for s in (0, .35, .7, 1.)], 1)
tubes('fuzz', F, np.array([.0017, .0016, .0013, .0008]), m, 3, attr=np.full((K, 1), .7))
move([o for o in bpy.context.collection.objects if o.type == 'MESH'], (0, 0, 0), (0, 0, math.radians(opt('rot', 126.))))
backdrop(M.plaster('#e2d8c8'), M.plaster())
window(); camera((opt('x', .16), -.04, .2), 6.7, opt('elev', 27.), opt('azim', 0.), 85, 5, focus=(0, -.55, .4)); render('scarf')
