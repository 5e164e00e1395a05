"""Stoneware vessels: a bottle vase, a pair of bud vases, a moon jar or a jug, thrown, glazed over a raw clay foot."""
from _base import *
KIND = opt('kind', 'sage')
def vessel(outer, t, mat, seed, **kw):
    """outer profile from foot to rim; the inside follows it at wall thickness t, down to the floor"""
    o = spline(outer, 160); k = np.argmax(o[:, 1]); o = o[:k + 1]; d = np.gradient(o, axis=0); d /= np.linalg.norm(d, axis=1, keepdims=True) + 1e-9
    inn = (o + t * np.stack([-d[:, 1], d[:, 0]], 1))[::-1]; inn = inn[(inn[:, 1] > .10) & (inn[:, 0] > .01)]
    rim = o[-1] * .5 + inn[0] * .5 + [0, t * .42]
    p = np.vstack([o, rim[None], inn, [[0, .10]]])
    return lathe('vessel', np.vstack([p[:1] * [0, 1], p]), mat, sharp=True, segs=256, seed=seed, **kw)
foot = lambda r: [(r * .8, .03), (r * .9, 0), (r * .97, 0), (r, .03)]
if KIND == 'sage':
    m = M.stoneware('#84907a', z_foot=.16, z_rim=2.36, speck=.8, rough=.42)
    v = vessel(foot(.48) + [(.62, .28), (.78, .62), (.83, .95), (.74, 1.28), (.50, 1.52), (.27, 1.68), (.20, 1.85), (.195, 2.1), (.235, 2.33), (.275, 2.4)], .05, m, 4, wobble=.006, rings=.0022, ringfreq=9)
    cam = ((0, 0, 1.12), 9.2, 13, 0); foc = (0, -.7, 1.1)
elif KIND == 'moon':
    m = M.stoneware('#ece4d6', z_foot=.13, z_rim=2.12, speck=1.1, rough=.36)
    def belly(V, T, p):   # the join in the middle, a little off level, and a slump to one side
        z = V[..., 2]; V[..., 0] += .03 * np.sin(z * 1.5); s = 1 + .010 * np.exp(-((z - 1.04 - .02 * np.cos(T)) / .03)**2); V[..., :2] *= s[..., None]; return V
    v = vessel(foot(.46) + [(.66, .20), (.93, .55), (1.08, 1.0), (.99, 1.45), (.76, 1.80), (.50, 1.99), (.445, 2.06), (.46, 2.15)], .05, m, 6, wobble=.009, rings=.0025, ringfreq=7, warp=belly)
    cam = ((0, 0, 1.02), 8.8, 15, 0); foc = (0, -.95, 1.1)
elif KIND == 'buds':
    m1 = M.stoneware('ochre', z_foot=.11, z_rim=1.09, speck=.9, rough=.34); m2 = M.stoneware('cream', z_foot=.11, z_rim=1.6, speck=1.7)
    a = vessel(foot(.30) + [(.44, .14), (.56, .38), (.52, .62), (.34, .82), (.15, .92), (.115, 1.0), (.15, 1.1)], .035, m1, 2, wobble=.009, rings=.0025, ringfreq=13); a.location = (-.42, -.12, .02)
    b = vessel(foot(.25) + [(.32, .16), (.37, .42), (.34, .75), (.22, 1.05), (.135, 1.25), (.125, 1.45), (.165, 1.62)], .035, m2, 8, wobble=.009, rings=.0025, ringfreq=13); b.location = (.44, .16, .02)
    cam = ((0, 0, .76), 7.0, 16, 0); foc = (0, -.3, .7)
else:   # jug
    m = M.stoneware('cream', z_foot=.12, z_rim=1.4, speck=1.3, dip=(.62, '#99614a'))
    def spout(V, T, p):
        z = V[..., 2]; k = np.clip((z - .95) / .45, 0, 1)**1.6; d = np.abs((T - math.pi + math.pi) % (2 * math.pi) - math.pi); a = np.abs(T - math.pi)
        w = np.exp(-(a / .34)**2) * k; n = np.exp(-((a - .75) / .35)**2) * k
        V[..., 0] *= 1 + .36 * w - .05 * n; V[..., 1] *= 1 - .16 * np.exp(-(a / .8)**2) * k; V[..., 2] += .10 * w - .012 * n; return V
    v = vessel(foot(.42) + [(.50, .16), (.60, .42), (.62, .64), (.54, .92), (.435, 1.14), (.41, 1.27), (.45, 1.41)], .042, m, 5, wobble=.007, rings=.0026, ringfreq=12, warp=spout)
    h = spline([(.40, 0, 1.25), (.47, 0, 1.28), (.62, 0, 1.31), (.80, 0, 1.22), (.87, 0, 1.02), (.80, 0, .78), (.67, 0, .63), (.53, 0, .56)], 120)
    w = np.interp(np.linspace(0, 1, 120), [0, .08, .2, .5, .85, .94, 1], [.085, .075, .055, .046, .046, .056, .05])
    hd = tubes('handle', h[None], w[None], m, 40, normal=(0, 1, 0), flat=1.9)
    move([v, hd], (0, 0, .02), (0, 0, math.radians(-24)))
    cam = ((.04, 0, .68), 7.0, 19, 0); foc = (0, -.5, .8)
cloth = M.linen() if KIND in ('buds', 'jug') else None
backdrop(M.plaster('#e2d8c8'), M.plaster(), cloth=cloth)
window(); camera(*cam[:2], opt('elev', float(cam[2])), opt('azim', float(cam[3])), 85, 4, focus=foc); render('vase')
