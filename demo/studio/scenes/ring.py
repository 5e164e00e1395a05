"""Hammered silver ring with an oval green cabochon on a small stoneware dish."""
from _base import *
dish = lathe('dish', [(0, .03), (.26, .03), (.30, 0), (.33, .0), (.36, .03), (.55, .075), (.66, .14), (.675, .165), (.655, .17), (.60, .125), (.45, .085), (.2, .075), (0, .075)],
             M.stoneware(opt('dish', '#66716a'), z_foot=.05, z_rim=.165, speck=.7), 160, 256, wobble=.012, rings=.002, ringfreq=10, seed=8)
s = M.silver(hammer=.35, scale=4, patina='#8d867d'); ps = M.silver(rough=.12, scale=4)
R = .105; th = np.linspace(0, 2 * np.pi, 256, endpoint=False)
C = np.stack([R * np.cos(th), 0 * th, R * np.sin(th)], 1); rad = .0125 + .0035 * np.clip(np.sin(th), 0, 1)**2 + .0006 * np.sin(5 * th + 1)
band = tubes('band', C[None], rad[None], s, 28, normal=(0, 1, 0), closed=True, flat=1.7)
def oval(V, T, p): V[..., 1] *= .76; return V
cup = lathe('bezel', [(.0, 0), (.056, 0), (.060, .004), (.061, .030), (.0595, .033), (.057, .032), (.055, .026), (.0, .02)], ps, 90, 128, wobble=.004, warp=oval)
st = lathe('stone', [(.056, .014), (.055, .031), (.050, .043), (.036, .055), (.018, .0605), (0, .062)], M.stone(opt('stone', '#5f7d74'), opt('stone2', '#2f4a46'), cloud=9, sss=opt('sss', .15)), 80, 128, wobble=0, warp=oval)
beads = []
for a in np.linspace(0, 2 * np.pi, 30, endpoint=False):
    q = lathe('bead', [(0, -.0042), (.003, -.003), (.0042, 0), (.003, .003), (0, .0042)], ps, 10, 12, wobble=0); q.location = (.0635 * math.cos(a), .0635 * .78 * math.sin(a), .004); beads.append(q)
top = move([cup, st] + beads, (0, 0, R + .010))
# lies on its side, resting on bezel edge and band (tilt solved from their half-widths), stone towards the camera
z0, k, a = .075, .92, math.radians(7.6)
e = move([band, top], (-.05, .06, z0 + k * (.021 * math.cos(a) + .105 * math.sin(a))), (math.pi / 2 - a, 0, math.radians(opt('yaw', 20.))), k)
stackd = wire('band2', [(.085 * math.cos(a), .085 * math.sin(a), .002 * math.sin(3 * a)) for a in np.linspace(0, 6.283, 24, endpoint=False)], .0085, M.brass(hammer=.6, scale=5), 240, 20, closed=True)
on = opt('on', 'dish')
if on == 'walnut':   # an offcut instead of the dish
    bpy.data.objects.remove(dish); slab = box('slab', (.92, .52, .10), (0, 0, 0), M.walnut(axis='X', ring=3, seed=1.2, fig=.4), .012, segs=5); move([slab], (.06, .10, .0245), (0, 0, math.radians(14)))
else: dish.scale = (.72,) * 3; move([dish], (0, 0, .02))
move([stackd], (opt('bx', .26), opt('by', .10), .0905), (math.radians(3), 0, 0))
backdrop(M.plaster('#e2d8c8'), M.plaster(), cloth=M.linen('#d6c8b4'))
window(); camera((.035, .0, .115), 2.4, opt('elev', 27.), opt('azim', 4.), 105, 10, focus=(-.03, -.06, .12)); render('ring')
