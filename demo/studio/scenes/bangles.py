"""Three hammered brass bangles: two lying crossed, one leaning on a maple block."""
from _base import *
def bangle(R, w, t, mat, seed):
    n = 400; a = np.linspace(0, 2 * np.pi, n, endpoint=False); r = np.random.default_rng(seed)
    R2 = R * (1 + .004 * np.sin(2 * a + r.uniform(0, 6)) + .003 * np.sin(3 * a + r.uniform(0, 6))); C = np.stack([R2 * np.cos(a), R2 * np.sin(a), 0 * a], 1)
    rad = w * (1 + .05 * fbm(a * 6, a * 0, 1, seed) + .035 * np.sign(np.sin(a * 26 + seed)) * np.abs(np.sin(a * 26 + seed))**.5 * opt('facet', 1.))
    return tubes('bangle', C[None], rad[None], mat, 32, normal=(0, 0, 1), closed=True, flat=t)
h1, h2, h3 = M.brass(hammer=.7, rough=.2, scale=2.4), M.brass(hammer=1., rough=.24, scale=3.4), M.brass(hammer=.5, rough=.17, scale=1.6)
Z = .03
a = bangle(.36, .026, 1.0, h1, 1); move([a], (-.10, .06, Z + .028), (0, 0, .4))
b = bangle(.355, .021, 2.2, h2, 2); t = math.asin((.028 * 2 + .02) / .5); move([b], (.17, -.02, Z + .105), (math.radians(3), math.radians(-8.5), 1.))
c = bangle(.365, .030, .9, h3, 3); c.rotation_euler = (math.radians(72), 0, 0)
block = box('block', (.66, .26, .34), (0, .152, .17 - .376), M.maple(axis='X', ring=9, seed=2.), .02, segs=5)
move([c, block], (-.02, .30, Z + .352), (0, 0, math.radians(20)))
backdrop(M.plaster('#e2d8c8'), M.plaster(), cloth=M.linen('#d6c8b4'))
window(); camera((.03, .05, .22), 4.1, opt('elev', 25.), opt('azim', 0.), 95, 10, focus=(0, -.15, .15)); render('bangles')
