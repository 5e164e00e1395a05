"""Little wooden van: painted maple body with cut-through windows, walnut wheels on beech axles."""
from _base import *
L, W, TH = 1.5, .66, .0
body = M.maple(axis='X', ring=7, seed=1.4, paint=M.PAL[opt('paint', 'terracotta')], coat=.05); bare = M.maple(axis='X', ring=8, seed=2.2); wal = M.walnut(axis='Y', ring=14, seed=.6); beech = M.wood(light='#d3a578', dark='#b07f55', axis='Y', ring=8, pores=.2)
def shape(name, loops, depth, mat, bevel=.025, off=0.):
    cu = bpy.data.curves.new(name, 'CURVE'); cu.dimensions = '2D'; cu.fill_mode = 'BOTH'; cu.extrude = depth / 2 - bevel; cu.bevel_depth = bevel; cu.bevel_resolution = 5; cu.offset = -bevel
    for P in loops:
        s = cu.splines.new('POLY'); s.points.add(len(P) - 1); s.use_cyclic_u = True
        for p, q in zip(s.points, P): p.co = (q[0], q[1], 0, 1)
    ob = bpy.data.objects.new(name, cu); bpy.context.collection.objects.link(ob); cu.materials.append(mat); ob.rotation_euler = (math.pi / 2, 0, 0); ob.location.y = off; return ob
def rounded(pts, n=10):
    """polygon with a radius per corner: (x, y, r)"""
    out = []; P = np.array([p[:2] for p in pts]); m = len(P)
    for i in range(m):
        a, b, c = P[i - 1], P[i], P[(i + 1) % m]; u, v = (a - b) / np.linalg.norm(a - b), (c - b) / np.linalg.norm(c - b); r = pts[i][2]
        ang = math.acos(np.clip(u.dot(v), -1, 1)); d = r / math.tan(ang / 2)
        p0, p1 = b + u * d, b + v * d
        for t in np.linspace(0, 1, n): out.append(tuple((1 - t)**2 * p0 + 2 * t * (1 - t) * b + t * t * p1))
    return out
def hole(x, z, w, h, r): return rounded([(x - w / 2, z - h / 2, r), (x - w / 2, z + h / 2, r), (x + w / 2, z + h / 2, r), (x + w / 2, z - h / 2, r)])
z0, z1 = .16, .86; hx = L / 2
arch = lambda cx, r: [(cx + r * math.cos(t), z0 - .0 + r * math.sin(t)) for t in np.linspace(math.pi, 0, 24)]
out = rounded([(-hx, z0, .04), (-hx, z1, .20), (hx - .28, z1, .24), (hx - .04, .56, .10), (hx, .50, .09), (hx, z0, .04)])
wheels = [(-.42, .19), (.42, .19)]
wx = hole(-.44, .62, .34, .22, .06); wm = hole(-.02, .62, .34, .22, .06); wf = rounded([(.26, .51, .05), (.26, .73, .06), (.46, .73, .07), (.60, .51, .05)])
o = [shape('body', [out, wx[::-1], wm[::-1], wf[::-1]], W, body)]
o.append(box('stripe', (L * .995, W + .012, .055), (0, 0, .405), bare, .006))
o[-1].scale.x = .985
bar = shape('bumper', [rounded([(-hx - .035, .20, .03), (-hx - .035, .285, .03), (hx + .035, .285, .03), (hx + .035, .20, .03)])], W * .92, bare, .02); o.append(bar)
for x, z in wheels:
    for sg in (-1, 1):
        pr = [(0, -.055), (.13, -.055), (.175, -.05), (.192, -.035), (.195, 0), (.192, .035), (.175, .05), (.15, .052), (.13, .044), (.08, .044), (.06, .054), (0, .056)]
        w = lathe('wheel', pr, wal, 120, 128, wobble=.0015); w.rotation_euler = (math.radians(90) * (1 if sg < 0 else -1), 0, 0); w.location = (x, sg * (W / 2 + .062), .196); o.append(w)
        c = lathe('pin', [(0, -.1), (.042, -.1), (.042, .068), (.036, .078), (0, .081)], beech, 60, 48, wobble=0); c.rotation_euler = w.rotation_euler; c.location = w.location; o.append(c)
for sg in (-1, 1):
    a = lathe('lamp', [(0, -.02), (.048, -.02), (.05, .0), (.046, .014), (.02, .022), (0, .023)], bare, 40, 48, wobble=0); a.rotation_euler = (0, math.radians(90), 0); a.location = (hx + .0, sg * .20, .40); o.append(a)
move(o, (-.04, .1, .001), (0, 0, math.radians(opt('yaw', 32.))))
backdrop(M.plaster('#e2d8c8'), M.plaster())
window(); camera((0, 0, .36), 6.0, 19, 0, 85, 4.5, focus=(0, -.35, .4)); render('van')
