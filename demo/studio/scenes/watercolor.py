"""Framed abstract watercolour (all washes computed), maple frame with mitres, cotton mat, leaning on the wall."""
from _base import *
W, H, F, MAT = 1.5, 1.9, .085, .24
washes = [('#f0c9a0', 'hill', (1.3, 0, 2, .0, 1.1), .55), ('#e39a6a', 'blob', (.66, .66, .105), .95), ('#9db0bd', 'hill', (.60, -.06, 2.6, .16, .34), .8), ('#7f9bab', 'hill', (.47, .10, 3.2, .20, .30), .85),
          ('#8f9a6c', 'hill', (.36, -.10, 2.2, .16, .30), .85), ('#41607a', 'hill', (.21, .10, 3.6, .14, .28), .9)]
seed = 2.3
if opt('motif', 'hills') == 'moons':   # two moons over a dark ridge
    seed = 5.1; washes = [('#efc7a6', 'hill', (1.3, 0, 2, .0, 1.4), .7), ('#d9a0a0', 'hill', (.62, .05, 1.5, .10, .5), .55), ('#d98f2f', 'blob', (.40, .70, .125), 1.), ('#c4756a', 'blob', (.69, .52, .075), .95),
                          ('#8b6f86', 'hill', (.40, .08, 3.4, .22, .34), .8), ('#44506e', 'hill', (.26, -.10, 4.2, .20, .34), .95), ('#2f3b57', 'hill', (.11, .06, 5, .10, .3), .95)]
art = grid('art', lambda U, V: np.stack([(U - .5) * (W - 2 * MAT + .02), 0 * U, (V - .5) * (H - 2 * MAT + .02)], -1), 2, 2, M.watercolor(washes, seed=seed)); art.location.y = -.005
o = [art]; mm = M.G('mat'); c = mm.coord(); mat = mm.pbr(Base_Color='#f6f1e7', Roughness=.95, Specular=.1, Normal=mm.bump(mm.noise(c, 60, 4), .2, .005))
iw, ih = W - 2 * MAT, H - 2 * MAT; t = .022   # bevel-cut window mat
V = []; 
for w_, h_, y in ((iw / 2, ih / 2, -.006), (iw / 2 + t, ih / 2 + t, -.006 - t), (W / 2, H / 2, -.006 - t)): V += [(-w_, y, -h_), (w_, y, -h_), (w_, y, h_), (-w_, y, h_)]
o.append(mesh('mat', V, [(k * 4 + i, k * 4 + (i + 1) % 4, k * 4 + 4 + (i + 1) % 4, k * 4 + 4 + i) for k in (0, 1) for i in range(4)], mat, smooth=False))
def rail(l, ax, seed):  # mitred moulding: section swept along x with 45 degree ends
    sec = [(0, .03), (0, -.10), (.006, -.112), (.02, -.118), (F - .02, -.112), (F - .006, -.106), (F, -.095), (F, .03)]
    V = [(sg * (l / 2 + d), y, d) for sg in (-1, 1) for d, y in sec]; n = len(sec)
    ob = mesh('rail', V, [(i, i + 1, n + i + 1, n + i) for i in range(n - 1)], M.wood(light='#b98a5c', dark='#85592f', axis='X', ring=7, seed=seed, rough=.5, pores=.7), smooth=False); return ob
for k, (l, loc, rot) in enumerate([(W, (0, 0, H / 2), 0), (W, (0, 0, -H / 2), math.pi), (H, (W / 2, 0, 0), math.pi / 2), (H, (-W / 2, 0, 0), -math.pi / 2)]):
    r = rail(l, 'X', k * 1.9 + .6); r.location = loc; r.rotation_euler = (0, rot, 0); o.append(r)
o.append(box('back', (W + .04, .03, H + .04), (0, .03, 0), M.plain('b', '#8a7455'), .004))
HANG = opt('hang', 0.)
a = math.radians(8); e = move(o, (0, 1.83, 1.9), (0, 0, 0)) if HANG else move(o, (-.08, 1.05, (H / 2 + F) * math.cos(a) + .006), (-a, 0, math.radians(7)))
# bud vase of glass with a dried stem for scale
g = lathe('vase', [(0, .0), (.13, .0), (.165, .03), (.185, .12), (.17, .26), (.10, .36), (.062, .44), (.06, .54), (.078, .585), (.073, .590), (.052, .54), (.052, .44), (.09, .355), (.16, .255), (.172, .12), (.15, .045), (0, .04)], M.glass(), 200, 128, wobble=.004)
if HANG: bpy.data.objects.remove(g)
else: g.location = (.98, .25, .004)
st = M.plain('stem', '#8b7a55'); hd = M.plain('head', '#c9a777')
for k in range(0 if HANG else 5):
    a, b = rng.normal(0, .13, 2); top = np.array([.98 + a * 1.6, .25 + b, 1.18 + rng.uniform(-.2, .2)]); p0 = np.array([.98 - a * .3, .25 - b * .3, .06])
    mid = np.array([.98 + a * .12, .25 + b * .1, .56]); wire('stem', [p0, mid, (mid + top) / 2 + [a * .12, 0, .03], top], .006, st, 60, 8)
    for i in range(46):
        s = i / 46; d = rng.normal(size=3); d[2] = abs(d[2]) + .9; d /= np.linalg.norm(d); q = top + (mid - top) * .30 * s; wire('grain', [q, q + d * .035, q + d * .06 + [0, 0, .01]], [.004 + .008 * math.sin(math.pi * x) for x in np.linspace(0, 1, 8)], hd, 8, 6)
backdrop(M.plaster('#e2d8c8'), M.plaster(), depth=1.9)
window(loc=(-4.6, -1.2, 4.2), target=(0, .8, .8)); camera((.14, .6, 1.0), 8.4, 7, 3, 85, 4, focus=(0, .9, 1)); render('watercolor')
