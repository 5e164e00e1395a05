"""Row of five small houses cut from maple: some walls painted, roofs in walnut and colour, little cut windows and doors."""
from _base import *
P = M.PAL; o = []
def house(w, d, h, pitch, wall, roof, x, y, yaw, seed, win, door, chim=0):
    e = .012; wm = M.maple(axis='Z', seed=seed, ring=7, paint=P.get(wall, wall) if wall else None, coat=.04); rm = M.walnut(axis='Y', seed=seed, ring=10) if roof == 'walnut' else M.maple(axis='Y', seed=seed + 3, ring=7, paint=P.get(roof, roof), coat=.04)
    top = h + pitch; V = []
    for yy in (-d / 2, d / 2): V += [(-w / 2, yy, 0), (w / 2, yy, 0), (w / 2, yy, h), (0, yy, top), (-w / 2, yy, h)]
    b = mesh('walls', V, [(0, 1, 2, 3, 4), (9, 8, 7, 6, 5), (0, 5, 6, 1), (1, 6, 7, 2), (2, 7, 8, 3), (3, 8, 9, 4), (4, 9, 5, 0)], wm); m = b.modifiers.new('b', 'BEVEL'); m.width = e; m.segments = 4; m.limit_method = 'NONE'; m.harden_normals = True; b.data.use_auto_smooth = True
    g = [b]; a = math.atan2(pitch, w / 2); t = .045
    # one roof over both slopes, so the ridge is closed: inner and outer line of the section, swept from front to back
    ov, sl = .045 * math.cos(a), math.tan(a); sec = [(-w / 2 - ov, h - ov * sl), (0, top), (w / 2 + ov, h - ov * sl)]; sec += [(w / 2 + ov + t * math.sin(a), h - ov * sl + t * math.cos(a)), (0, top + t / math.cos(a)), (-w / 2 - ov - t * math.sin(a), h - ov * sl + t * math.cos(a))]
    r = mesh('roof', [(x, y, z - .0115) for y in (-d / 2 - .035, d / 2 + .035) for x, z in sec], [(0, 1, 4, 5), (1, 2, 3, 4), (11, 10, 7, 6), (10, 9, 8, 7)] + [(i + 6, (i + 1) % 6 + 6, (i + 1) % 6, i) for i in range(6)], rm)
    m = r.modifiers.new('b', 'BEVEL'); m.width = .01; m.segments = 4; m.limit_method = 'ANGLE'; m.harden_normals = True; r.data.use_auto_smooth = True; g.append(r)
    dark = M.walnut(axis='Z', seed=seed + 1, ring=9, light='#5b3c28', dark='#2c1a10')
    for wx, wz, ww, wh in win: g.append(box('window', (ww, .02, wh), (wx, -d / 2 - .002, wz), dark, .006))
    if door: g.append(box('door', (door[1], .02, door[2]), (door[0], -d / 2 - .002, door[2] / 2 + .004), M.maple(axis='Z', seed=seed + 4, paint=P.get(door[3], door[3])), .006)); g.append(lathe('knob', [(.010 * math.cos(q), .010 * math.sin(q)) for q in np.linspace(-1.57, 1.57, 12)], M.brass(), sharp=True, segs=16, wobble=0)); g[-1].location = (door[0] + door[1] * .30, -d / 2 - .018, door[2] * .48)
    if chim: g.append(box('chimney', (.075, .075, .24), (chim, d * .14, top - abs(chim) / (w / 2) * pitch + .06), wm, .01))
    return move(g, (x, y, .001), (0, 0, math.radians(yaw)))
q = lambda x, z, s=.085, t=.10: (x, z, s, t)
house(.50, .36, .62, .30, None, 'indigo', -1.05, .10, 9, .3, [q(-.11, .44), q(.11, .44)], (-.10, .13, .24, 'terracotta'))
house(.40, .38, .96, .38, '#ece2d0', 'walnut', -.52, .02, 3, 1.1, [q(-.08, .80), q(.08, .80), q(-.08, .52), q(.08, .52)], (0, .12, .26, 'indigo'), .10)
house(.56, .38, .50, .32, 'rose', 'terracotta', .035, -.06, -3, 2.2, [q(-.15, .30), q(.17, .30)], (.01, .13, .27, '#ece2d0'), -.15)
house(.36, .34, .76, .34, None, 'terracotta', .57, .0, 4, 3.4, [q(0, .62, .10, .12)], (0, .12, .25, 'sage'))
house(.46, .36, .56, .26, 'sage', 'walnut', 1.05, .10, -8, 4.6, [q(-.11, .38), q(.11, .38)], (.0, .13, .25, 'ochre'), .11)
backdrop(M.plaster('#e2d8c8'), M.plaster())
window(loc=(-4.8, -.6, 4.0)); camera((0, 0, .56), 7.3, 13, 5, 85, 5, focus=(0, -.2, .5)); render('houses')
