"""Bead necklace lying on linen: kind = wood (graded, milk-painted maple) or clay (glazed stoneware with brass between)."""
from _base import *
KIND = opt('kind', 'wood'); P = M.PAL
ctrl = np.array([(0, -.98), (.42, -.86), (.68, -.48), (.76, 0), (.66, .48), (.34, .80), (0, .88), (-.36, .78), (-.64, .46), (-.76, 0), (-.70, -.50), (-.42, -.86)]) * 1.06
C = spline(ctrl, 2000, closed=True); L = np.r_[0, np.cumsum(np.linalg.norm(np.diff(np.vstack([C, C[:1]]), axis=0), axis=1))]; tot = L[-1]; CC = np.vstack([C, C[:1]])
at = lambda u: np.array([np.interp(u % tot, L, CC[:, k]) for k in (0, 1)]); Z0 = .03
arc = lambda r, f=.8, n=24: [(.02, -r * .95)] + [(max(.018, r * math.cos(t)), r * math.sin(t) * .95) for t in np.linspace(-1.35, 1.35, n)] + [(.02, r * .95)]
if KIND == 'wood':
    mats = [M.maple(axis='Z', seed=i * 1.3 + .4, paint=P.get(c, c) if c else None, ring=5, coat=.06) for i, c in enumerate(['terracotta', None, 'ochre', 'sage', None, 'indigo', 'rose', None])]
else: mats = [M.stoneware(c, z_foot=-1, speck=2.2, rough=.3) for c in ('cream', '#7f8b72', 'cream', 'indigo')]; br = M.brass(rough=.22)
u, i, beads = 0., 0, []
grade = lambda u: .075 + .050 * (.5 + .5 * math.cos(2 * math.pi * u / tot))    # u = 0 is the front: the largest bead
if KIND == 'wood':
    # sizes such that forty beads close the ring, small gap at the back for the knot
    rad = np.array([grade(k / 40 * tot) for k in range(40)]); s = (tot - .10) / (1.90 * rad.sum() + 40 * .004); rad *= s; u = 0
    for k in range(40):
        if k: u += .95 * (rad[k - 1] + rad[k]) + .004 + (.10 if k == 20 else 0)
        beads.append((u, rad[k], mats[k % 8]))
else:
    ns = 26; sp = .028; tb = (tot - .06) / ns; rs = (tb - 2 * sp - .006) / 1.9
    for k in range(ns):
        u0 = tot / 2 + .03; beads.append((u0 + k * tb, rs * (1 + .03 * rng.normal()), mats[k % 4])); beads.append((u0 + (k + .5) * tb, -1, br))
for k, (u, r, m) in enumerate(beads):
    c, d = at(u), at(u + .01) - at(u - .01); yaw = math.atan2(d[1], d[0])
    if r > 0: o = lathe('bead', arc(r), m, 90, 72, wobble=.012 if KIND == 'clay' else .004, seed=k); z = r
    else: o = lathe('bead', [(.02, -.026), (.045, -.022), (.056, 0), (.045, .022), (.02, .026)], m, 40, 40, wobble=.01, seed=k); z = .058
    o.rotation_euler = (0, math.radians(90), 0); move([o], (c[0], c[1], Z0 + z), (0, 0, yaw))
zc = [Z0 + (.075 if KIND == 'clay' else grade(v) * .95) for v in np.linspace(0, tot, 60, endpoint=False)]
wire('cord', [(*at(v), z) for v, z in zip(np.linspace(0, tot, 60, endpoint=False), zc)], .014, M.plain('cord', '#b79a74', 1, .9), 600, 10, closed=True)
if KIND == 'wood':
    kc = M.plain('cord', '#b79a74', 1, .9)
    k = at(beads[20][0] - beads[20][1] - .05); lathe('knot', [(0, -.035), (.028, -.028), (.036, 0), (.028, .028), (0, .035)], kc, 40, 24, wobble=.1).location = (*k, Z0 + .055)
    wire('end', [(*k, .085), (k[0] + .03, k[1] + .08, .075), (k[0] + .09, k[1] + .16, .05), (k[0] + .13, k[1] + .23, .045)], .012, kc, 60, 8); wire('end', [(*k, .085), (k[0] - .02, k[1] + .08, .075), (k[0] - .03, k[1] + .16, .05), (k[0] - .08, k[1] + .22, .045)], .012, kc, 60, 8)
backdrop(M.plaster('#e2d8c8'), M.plaster(), cloth=M.linen())
window(); camera((0, -.02, .04), 5.9, opt('elev', 42.), opt('azim', 0.), 85, 6, focus=(0, -.5, .12)); render('necklace')
