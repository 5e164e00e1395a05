"""Walnut serving board with a handle, a hole and a leather loop, lying on linen."""
from _base import *
L, W, HL, HW, TH, R = 1.6, .80, .62, .20, .17, .17   # half length, half width, handle length, half width, thickness, corner
def arc(cx, cy, r, a0, a1, n=14): return [(cx + r * math.cos(a), cy + r * math.sin(a)) for a in np.radians(np.linspace(a0, a1, n))]
f = .16
out = arc(-1.1 + R, -W + R, R, 180, 270) + arc(1.1 - R, -W + R, R, 270, 360) + arc(1.1 - R * .0 - .0, -HW - f - .0, .0001, 0, 0, 1)
out = arc(-1.1 + R, -W + R, R, 180, 270) + arc(1.1 - R, -W + R, R, 270, 360) + [(1.1, -HW - f)] + arc(1.1 + f, -HW - f, f, 180, 90)[1:] + arc(1.1 + HL - HW, 0, HW, -90, 90, 30) + arc(1.1 + f, HW + f, f, 270, 180) + arc(1.1 - R, W - R, R, 0, 90) + arc(-1.1 + R, W - R, R, 90, 180)
out = np.array(out); hx, hr = 1.1 + HL - HW, .075
hole = np.array([(hx + hr * math.cos(a), hr * math.sin(a)) for a in np.linspace(0, 2 * np.pi, 40, endpoint=False)][::-1])
cu = bpy.data.curves.new('board', 'CURVE'); cu.dimensions = '2D'; cu.fill_mode = 'BOTH'; cu.extrude = TH / 2 - .03; cu.bevel_depth = .03; cu.bevel_resolution = 5; cu.offset = -.03
for P in (out, hole):
    s = cu.splines.new('POLY'); s.points.add(len(P) - 1); s.use_cyclic_u = True
    for p, q in zip(s.points, P): p.co = (q[0], q[1], 0, 1)
ob = bpy.data.objects.new('board', cu); bpy.context.collection.objects.link(ob); cu.materials.append(M.walnut(axis='X', ring=9, seed=1.4, fig=.45, rough=.46))
ob.location.z = TH / 2
lt = M.leather('#8a5a36'); z = TH
loop = wire('loop', [(hx - .02, .012, -.02), (hx + .0, .02, z * .6), (hx + .05, .03, z + .03), (hx + .17, .06, z + .035), (hx + .30, .05, z * .5), (hx + .40, -.02, .035), (hx + .54, -.10, .03), (hx + .57, -.20, .032), (hx + .48, -.23, .03), (hx + .38, -.15, .035), (hx + .29, -.08, z * .5), (hx + .17, -.05, z + .035), (hx + .05, -.03, z + .03), (hx - .0, -.02, z * .6), (hx - .02, -.012, -.02)], .022, lt, 300, 12)
move([ob, loop], (-.30, .22, .03), (0, 0, math.radians(-30)))
backdrop(M.plaster('#e2d8c8'), M.plaster(), cloth=M.linen())
window(); camera((.05, -.02, .06), 9.2, 36, 0, 85, 5, focus=(0, -.1, .15)); render('board')
