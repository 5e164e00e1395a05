"""Rainbow stacker: seven nested arches, milk-painted, the smallest one taken out and set in front."""
from _base import *
cols = ['indigo', '#5f7f86', 'sage', 'ochre', '#c98446', 'terracotta', 'rose']; D, T, GAP = .62, .135, .012
def arch(R, t, mat, seed):
    """half ring R..R-t, depth D, soft edges: rounded section swept through half a turn, with short flat feet"""
    e = .028; h, d = t / 2, D / 2; sec = []
    for cx, cy, a0 in ((h - e, d - e, 0), (-h + e, d - e, 90), (-h + e, -d + e, 180), (h - e, -d + e, 270)):
        sec += [(cx + e * math.cos(math.radians(a0 + k)), cy + e * math.sin(math.radians(a0 + k))) for k in np.linspace(0, 90, 7)]
    sec = np.array(sec); n = 120; rm = R - h
    def f(U, V):
        th = U * math.pi; k = V * len(sec); i = np.floor(k).astype(int) % len(sec); sr, sy = sec[i, 0], sec[i, 1]
        w = 1 + .006 * fbm(U * 5, U * 0, 1, seed)
        end = np.minimum(U, 1 - U) * math.pi * rm; sh = 1 - (1 - np.clip(end / .022, 0, 1))**2 * .10    # eased ends
        return np.stack([-(rm + sr * sh) * np.cos(th) * w, sy * (1 - (1 - np.clip(end / .022, 0, 1))**2 * .03), (rm + sr * sh) * np.sin(th) * w], -1)
    U, V = np.meshgrid(np.linspace(0, 1, n), np.arange(len(sec)) / len(sec), indexing='ij'); P = f(U, V); m = len(sec)
    I = np.arange(n * m).reshape(n, m); J = np.roll(I, -1, 1)
    ob = mesh('arch', P.reshape(-1, 3), np.stack([I[:-1], J[:-1], J[1:], I[1:]], -1).reshape(-1, 4), mat)
    for r, fl in ((0, 1), (n - 1, -1)):   # flat feet
        mesh('foot', P[r], [list(range(m))[::fl]], mat, smooth=False).parent = ob
    return ob
R = 1.30; o = []
for i, c in enumerate(cols):
    t = T if i < 6 else .155
    a = arch(R, t, M.wood(light='#dcc39c', dark='#b99468', axis='X', ring=8, pores=.2, rough=.55, fig=.2, coat=.04, seed=i * 1.3 + .2, paint=M.PAL.get(c, c)), i)
    a.location = (rng.normal(0, .003), rng.normal(0, .012), .002); R -= t + GAP; o.append(a)
o[-1].location = (.92, -.92, .002); o[-1].rotation_euler = (0, 0, .75)
o[-2].location = (0, -.17, .002)
if opt('row', 0.):   # taken apart: a tunnel of arches, each a little in front of the larger one
    for i, a in enumerate(o): a.location = (.05 * (-1)**i, .95 - i * .40, .002); a.rotation_euler = (0, 0, .035 * math.sin(i * 2.4))
move(o, (-.10, .15, 0), (0, 0, math.radians(opt('yaw', -16.))))
backdrop(M.plaster('#e2d8c8'), M.plaster())
window(); camera((.04, 0, .50), 7.9, 17, 0, 85, 4.5, focus=(0, -.4, .6)); render('rainbow')
