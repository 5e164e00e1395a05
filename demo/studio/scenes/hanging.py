"""Woven wall hanging: bands of thick wool on a turned walnut rod, loops, braids of knots and a long fringe, against the wall."""
from _base import *
P = M.PAL; WD, ZR = 2.1, 2.55                       # width, height of the rod
lathe('rod', [(0, -1.36), (.05, -1.36), (.062, -1.345), (.066, -1.30), (.05, -1.26), (.046, -1.2), (.046, 1.2), (.05, 1.26), (.066, 1.30), (.062, 1.345), (.05, 1.36), (0, 1.36)], M.walnut(axis='Z', seed=.3, ring=16), 160, 48, wobble=.004).rotation_euler = (0, math.radians(90), 0)
bpy.context.collection.objects['rod'].location = (0, 0, ZR)
wools = {k: M.wool(P.get(k, k), c2) for k, c2 in (('cream', '#fff6e6'), ('ochre', '#dcb069'), ('terracotta', '#cf8468'), ('indigo', '#65748f'), ('oat', '#e2d2b6'))}
def yarn(name, Q, R, mat, twist=.55, attr=None, up=(0, -1, .05)):
    """three plies round each path of Q (c, n, 3), like the knits"""
    n = Q.shape[1]; T = np.gradient(Q, axis=1); T /= np.linalg.norm(T, axis=2, keepdims=True) + 1e-9; B = np.cross(T, np.asarray(up, float)); B /= np.linalg.norm(B, axis=2, keepdims=True) + 1e-9; N = np.cross(B, T)
    if attr is None: attr = rng.uniform(.1, .9, (len(Q), 1))
    for k in range(3):
        a = np.arange(n) * twist + k * 2.094 + rng.uniform(0, 6, (len(Q), 1)) * 0
        tubes(name, Q + R * .55 * (np.cos(np.broadcast_to(a, Q.shape[:2]))[..., None] * N + np.sin(np.broadcast_to(a, Q.shape[:2]))[..., None] * B), R * .56, mat, 6, normal=up, attr=attr)
def fuzz(Q, R, mat, k):
    i = rng.integers(0, Q.shape[0], k), rng.integers(1, Q.shape[1] - 1, k); d = rng.normal(size=(k, 3)); d /= np.linalg.norm(d, axis=1, keepdims=True); ln = np.minimum(rng.gamma(2.2, .012, k), .05)[:, None]
    b0 = Q[i] + d * R * .8; w = d + rng.normal(0, .5, (k, 3)); tubes('fuzz', np.stack([b0 + w * ln * s - np.array([0, 0, .3]) * ln * s * s for s in (0, .35, .7, 1.)], 1), np.array([.0017, .0016, .0013, .0008]), mat, 3, attr=np.full((k, 1), .7))
NW = 60; xs = (np.arange(NW) + .5) / NW * WD - WD / 2                 # warp threads
edge = lambda z: 1 + .012 * fbm(z * 1.2, z * 0, 1., 2)                 # the sides draw in a little
def rows(z1, z0, mat, R, attr_s=.2):
    """plain weave: weft rows over and under the warps"""
    m = int((z1 - z0) / (R * 1.72)); t = np.linspace(-1, 1, NW * 5); Q = []
    for j in range(m):
        z = z1 - (j + .5) * (z1 - z0) / m; x = t * WD / 2 * edge(np.array([z]))[0]; ph = (x / WD * NW + (j % 2)) * math.pi
        Q.append(np.stack([x, -R * .95 * np.sin(ph) + .01 * fbm(x, x * 0 + z, 1.5, 4), np.full_like(x, z) + .010 * fbm(x, x * 0 + z * .7, 1.2, 3) + rng.normal(0, .0015)], 1))
    Q = np.array(Q); yarn('weft', Q, R, mat, attr=np.clip(.5 + attr_s * rng.normal(size=(m, 1)) + .2 * fbm(Q[..., 0] * 2, Q[..., 2] * 9, 1., 5), 0, 1)); fuzz(Q, R, mat, m * 900)
def soumak(z, mat, R, n=30, s=1):
    """a row of fat slanted loops, like a braid"""
    Q = []
    for k in range(n):
        x = (k + .5) / n * WD - WD / 2; w = WD / n; t = np.linspace(0, 1, 22)
        Q.append(np.stack([x + (t - .5) * w * 1.75, -.035 - R * 1.2 * np.sin(t * math.pi), z + s * (t - .5) * R * 2.6], 1))
    Q = np.array(Q); yarn('soumak', Q, R, mat, .35); fuzz(Q, R, mat, n * 150)
def fringe(z, ln, mat, R, n, shape, y=-.05, k=4):
    """bundles of cut yarn knotted over a row, hanging, trimmed to a line"""
    Q = []; s = np.linspace(0, 1, 40)
    for i in range(n):
        x0 = (i + .5) / n * WD - WD / 2; L = ln * shape(x0 / (WD / 2)) * 1.
        for j in range(k):
            a, b = rng.normal(0, .02, 2); l2 = L * (1 + rng.normal(0, .012)); off = (j - (k - 1) / 2) * WD / n / k * 1.5
            Q.append(np.stack([x0 + off * np.clip(s * 6, .25, 1) + a * s * 1.3 + .010 * np.sin(s * 7 + a * 90), y - .03 * np.sin(np.clip(s * 7, 0, math.pi)) - .02 * (j % 2) + b * .6 * s + .015 * s, z - s * l2], 1))
    Q = np.array(Q); yarn('fringe', Q, R, mat, .5); fuzz(Q, R, mat, len(Q) * 110)
    kn = []; t = np.linspace(0, 1, 18)
    for i in range(n):
        x0 = (i + .5) / n * WD - WD / 2; w = WD / n * .36; kn.append(np.stack([x0 + (t * 2 - 1) * w, y - .02 - .055 * np.sin(t * math.pi), np.full_like(t, z - .01) + .008 * np.sin(t * 6)], 1))
    yarn('knot', np.array(kn), R * 1.15, mat, .4)
# from the rod down
warp = np.stack([np.stack([np.full(30, x) + .003 * rng.normal(), np.where(np.linspace(0, 1, 30) < .1, -.055, 0.), np.linspace(ZR - .03, 1.0, 30)], 1) for x in xs]); tubes('warp', warp, .010, wools['cream'], 6, normal=(0, 1, 0), attr=np.full((NW, 1), .5))
hs = np.linspace(0, 2 * np.pi, 24, endpoint=False); tubes('hitch', np.array([np.stack([np.full(24, x) + .006 * np.sin(hs), .064 * np.cos(hs), ZR + .064 * np.sin(hs)], 1) for x in xs]), .012, wools['cream'], 6, normal=(1, 0, 0), closed=True, attr=np.full((NW, 1), .5))
rows(2.44, 2.22, wools['cream'], .020)
soumak(2.175, wools['terracotta'], .034, 26); soumak(2.105, wools['terracotta'], .034, 26, -1)
rows(2.06, 1.84, wools['oat'], .020)
rows(1.84, 1.76, wools['indigo'], .020)
rows(1.76, 1.68, wools['cream'], .020); rows(1.68, 1.60, wools['indigo'], .020)
rows(1.60, 1.46, wools['cream'], .020)
soumak(1.415, wools['ochre'], .036, 24); soumak(1.34, wools['ochre'], .036, 24, -1)
rows(1.30, 1.12, wools['cream'], .020)
fringe(1.13, .98, wools['cream'], .017, 34, lambda u: 1 - .0 * abs(u), y=-.02)
fringe(1.28, .74, wools['terracotta'], .018, 30, lambda u: 1.12 - .62 * abs(u), y=-.085)
cord = M.plain('cord', '#c9b18c', 1, .9)
wire('cord', [(-1.22, -.02, ZR + .05), (-1.0, .0, ZR + .13), (-.5, .03, ZR + .34), (0, .04, ZR + .53), (.5, .03, ZR + .34), (1.0, .0, ZR + .13), (1.22, -.02, ZR + .05)], .018, cord, 300, 10)
for sg in (-1, 1): tubes('tie', np.array([np.stack([np.full(24, sg * (1.205 + .032 * k)), .06 * np.cos(hs), ZR + .06 * np.sin(hs)], 1) for k in range(3)]), .017, cord, 8, normal=(1, 0, 0), closed=True)
lathe('peg', [(0, -.25), (.035, -.25), (.035, .0), (.055, .02), (.06, .05), (.05, .075), (0, .08)], M.walnut(axis='Z', seed=1.3, ring=16), 80, 40, wobble=0).rotation_euler = (math.radians(90), 0, 0)
bpy.context.collection.objects['peg'].location = (0, .06, ZR + .50)
g = [o for o in bpy.context.collection.objects if o.type == 'MESH']; move(g, (0, 1.38, 0), (0, 0, 0))
backdrop(M.plaster('#e2d8c8'), M.plaster(), depth=1.5)
window(loc=(-4.6, -1.6, 4.4), target=(0, 1.2, 1.5)); camera((0, 1.3, 1.64), 8.9, opt('elev', 3.), opt('azim', 6.), 85, 5, focus=(0, 1.3, 1.5)); render('hanging')
