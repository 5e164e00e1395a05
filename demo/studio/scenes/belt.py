"""Leather belt rolled up and standing on its edge, stitched tongue with a brass buckle lying in front."""
from _base import *
W, TH = .36, .034
lt = M.leather(opt('col', '#a9713f')); ed = M.leather('#5f3a20', rough=.3); br = M.brass(rough=.2)
# centre line seen from above: a tight spiral that leaves its last turn towards the camera
a = np.linspace(0, 2 * np.pi * 4.1, 400); r = .30 + .0495 * a / (2 * np.pi) * 1.55 + .006 * np.sin(a * 1.3)
C = np.stack([r * np.cos(a + 1.3), r * np.sin(a + 1.3)], 1); t = C[-1] - C[-2]; t /= np.linalg.norm(t)
tail = [C[-1]]; ang = math.atan2(t[1], t[0])
for i in range(135): ang += -.0042 + .009 * (i < 20); tail.append(tail[-1] + .0105 * np.array([math.cos(ang), math.sin(ang)]))
C = spline(np.vstack([C, tail[1:]])[::3], 1400); L = np.r_[0, np.cumsum(np.linalg.norm(np.diff(C, axis=0), axis=1))]; tot = L[-1]
T = np.gradient(C, axis=0); T /= np.linalg.norm(T, axis=1, keepdims=True); N = np.stack([T[:, 1], -T[:, 0]], 1)
at = lambda u: np.array([np.interp(u, L, C[:, k]) for k in (0, 1)]); nat = lambda u: np.array([np.interp(u, L, N[:, k]) for k in (0, 1)])
lift = lambda u: .125 * np.clip((np.asarray(u) - (tot - 1.25)) / .75, 0, 1)**2 * (3 - 2 * np.clip((np.asarray(u) - (tot - 1.25)) / .75, 0, 1))   # the buckle is taller than the strap
def strap(name, u0, u1, off, w=W, th=TH, n=1200, mat=lt):
    e = .011; sec = []
    for cx, cz, a0 in ((th / 2 - e, w / 2 - e, 0), (-th / 2 + e, w / 2 - e, 90), (-th / 2 + e, -w / 2 + e, 180), (th / 2 - e, -w / 2 + e, 270)): sec += [(cx + e * math.cos(math.radians(a0 + k)), cz + e * math.sin(math.radians(a0 + k))) for k in np.linspace(0, 90, 6)]
    sec = np.array(sec); m = len(sec); u = np.linspace(u0, u1, n); c, nn = at(u).T, nat(u).T
    P = np.stack([c[:, :1] + nn[:, :1] * (sec[None, :, 0] + off), c[:, 1:] + nn[:, 1:] * (sec[None, :, 0] + off), np.broadcast_to(sec[None, :, 1] + w / 2, (n, m)) + lift(u)[:, None]], -1)
    I = np.arange(n * m).reshape(n, m); J = np.roll(I, -1, 1); ob = mesh(name, P.reshape(-1, 3), np.stack([I[:-1], J[:-1], J[1:], I[1:]], -1).reshape(-1, 4), mat)
    for k in (0, n - 1): mesh('end', P[k], [list(range(m))], mat, smooth=False)
    return ob
strap('belt', 0, tot, 0)
strap('fold', tot - .52, tot + .0, -(TH + .002), n=200)           # turned-back end round the buckle bar
z0 = W / 2
def pt(u, off, z): c, n = at(u), nat(u); return (c[0] + n[0] * off, c[1] + n[1] * off, z + float(lift(u)))
front = TH / 2 + .001
th = M.plain('thread', '#e6d8bd', 1, .8)
for zz in (.05, W - .05):                                          # saddle stitches, slanted
    for i in range(12):
        u = tot - .49 + i * .036; wire('stitch', [pt(u, front - .004, zz - .004), pt(u + .006, front + .004, zz - .002), pt(u + .018, front + .005, zz + .003), pt(u + .025, front - .004, zz + .005)], .0055, th, 16, 8)
strap('keeper', tot - .36, tot - .27, front + .010, w=W + .03, th=.022, n=60); strap('keeper2', tot - .36, tot - .27, -(TH * 1.5 + .016), w=W + .03, th=.022, n=60)
c, n = at(tot), nat(tot); tt = np.array([n[1] * -1, n[0]]); tt = tt if tt.dot(at(tot) - at(tot - .05)) > 0 else -tt
def q(s, off, z): return (c[0] + tt[0] * s + n[0] * off, c[1] + tt[1] * s + n[1] * off, z + .125)
bw, bl, k = .27, .36, .05
P = [(0, z0 - bw + k), (0, z0 + bw - k), (k * .3, z0 + bw - k * .3), (k, z0 + bw), (bl - k, z0 + bw), (bl - k * .3, z0 + bw - k * .3), (bl, z0 + bw - k), (bl, z0 - bw + k), (bl - k * .3, z0 - bw + k * .3), (bl - k, z0 - bw), (k, z0 - bw), (k * .3, z0 - bw + k * .3)]
wire('frame', [q(s - .01, -.02 + .02 * math.sin(s / bl * math.pi), z) for s, z in P], .030, br, 400, 24, closed=True)
ro = lathe('roll', [(0, -W / 2 + .01), (.042, -W / 2 + .01), (.045, -W / 2 + .02), (.045, W / 2 - .02), (.042, W / 2 - .01), (0, W / 2 - .01)], lt, 60, 40, wobble=0); ro.location = q(-.012, -.018, z0)
wire('prong', [q(-.02, .03, z0), q(.04, .045, z0), (q(.2, .05, z0)), q(bl - .02, .045, z0), q(bl + .025, .03, z0)], .022, br, 120, 20)
g = [o for o in bpy.context.collection.objects if o.type == 'MESH']
move(g, (opt('x', -.60), opt('y', .30), .001), (0, 0, math.radians(opt('rot', 155.))))
backdrop(M.plaster('#e2d8c8'), M.plaster())
window(); camera((0, 0, .2), 6.4, opt('elev', 26.), 0, 85, 6, focus=(0, -.5, .4)); render('belt')
