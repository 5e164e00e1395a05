"""Hammered brass half-moon earrings with small river-stone beads, hung on a walnut stand."""
from _base import *
metal = M.silver if opt('metal', 'brass') == 'silver' else M.brass
br, wb = metal(hammer=.9, rough=.20, scale=1.6), metal(rough=.2)
turned = M.maple if opt('wood', 'walnut') == 'maple' else M.walnut
def earring(x, yaw, seed):
    r = np.random.default_rng(seed); R, t = .27, .012; a0 = r.normal(0, .01)
    def f(U, V):   # half-moon, slightly domed, hammered edge
        th = math.pi + U * math.pi; rad = .10 + (R - .10) * V + .004 * fbm(U * 9, V * 0, 1, seed) * V
        d = np.hypot(rad * np.cos(th), rad * np.sin(th)); y = .035 * (d / R)**2 + .004 * fbm(U * 8, V * 5, 1, seed + 3)
        return np.stack([rad * np.cos(th), -y, rad * np.sin(th) * 1.02], -1)
    m = grid('moon', f, 160, 60, br); s = m.modifiers.new('s', 'SOLIDIFY'); s.thickness = t; b = m.modifiers.new('b', 'BEVEL'); b.width = .004; b.segments = 3; b.limit_method = 'ANGLE'
    o = [m]
    for sg in (-1, 1): o.append(wire('arm', [(sg * .185, -.018, -.015), (sg * .17, -.012, .06), (sg * .10, 0, .15), (sg * .025, 0, .195), (0, 0, .205)], .0085, wb, 60, 12))
    o.append(lathe('bead', [(0, -.045), (.025, -.042), (.05, -.015), (.05, .018), (.025, .042), (0, .045)], M.stone(opt('bead', '#6f8a80'), opt('bead2', '#34504a'), 5), 60, 48, wobble=.02, seed=seed)); o[-1].location = (0, 0, .285)
    o.append(wire('link', [(.012, 0, .215), (0, 0, .232), (0, 0, .34), (.0, 0, .36)], .0065, wb, 40, 10))
    a = np.linspace(0, 2 * np.pi, 20, endpoint=False); o.append(wire('eye', [(.018 * math.cos(k), 0, .213 + .018 * math.sin(k)) for k in a], .006, wb, 80, 10, closed=True))
    o.append(wire('hook', [(0, 0, .35), (0, .012, .40), (0, .012, .47), (0, -.01, .545), (0, -.065, .585), (0, -.125, .555), (0, -.138, .47), (0, -.132, .41), (0, -.150, .37)], .0065, wb, 120, 10))
    e = move(o, (x, .062, 1.245 - .575 + .045), (0, 0, yaw), 1); return e
earring(-.30, .10, 1); earring(.30, -.16, 2)
w = turned(axis='X', seed=.9, ring=8)
lathe('rod', [(0, -.72), (.045, -.72), (.052, -.70), (.050, .70), (.045, .72), (0, .72)], turned(axis='Z', seed=.3, ring=16), 160, 48, wobble=.004).rotation_euler = (0, math.radians(90), 0)
bpy.context.collection.objects['rod'].location = (0, 0, 1.21)
for sg in (-1, 1): lathe('post', [(.06, .08), (.05, .4), (.045, .8), (.052, 1.13), (.075, 1.20), (.075, 1.25), (.05, 1.29), (0, 1.30)], turned(axis='Z', seed=1.3, ring=16), 120, 48, wobble=.004).location = (sg * .64, 0, 0)
box('base', (1.62, .56, .11), (0, 0, .055), w, .025, segs=6)
backdrop(M.plaster('#e2d8c8'), M.plaster(), depth=1.5)
window(); camera((0, 0, .66), 6.3, 10, opt('azim', -9.), 95, 4, focus=(0, -.05, .75)); render('earrings')
