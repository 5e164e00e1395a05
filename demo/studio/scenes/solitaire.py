"""Round walnut board for peg solitaire: 33 turned hollows, 32 stone marbles (one in the groove), groove round the rim."""
from _base import *
R, TH, S, MR, HR = 1.1, .20, .232, .088, .10
hol = np.array([(i * S, j * S) for i in range(-3, 4) for j in range(-3, 4) if abs(i) < 2 or abs(j) < 2])
def f(U, V):   # polar top with hollows and groove
    r, th = U * (R - .03), V * 2 * np.pi; x, y = r * np.cos(th), r * np.sin(th); z = np.full_like(r, TH)
    z -= .05 * np.clip(1 - ((r - .965) / .075)**2, 0, 1)**.7
    for hx, hy in hol: d = np.hypot(x - hx, y - hy); z -= np.where(d < .085, np.sqrt(np.clip(.115**2 - d**2, 0, 1)) - .0775, 0)
    return np.stack([x, y, z], -1)
w = M.walnut(axis='X', ring=7, seed=.9, fig=.4, rough=.42)
o = [grid('top', f, 520, 900, w)]
o.append(lathe('rim', [(R - .03, TH), (R - .012, TH - .004), (R - .002, TH - .016), (R, TH - .04), (R, .05), (R - .008, .02), (R - .05, 0), (.5, 0), (0, 0)], w, sharp=True, segs=320, wobble=0))
a = np.linspace(-math.pi / 2, math.pi / 2, 32); ms = [M.stone('#6f8a78', '#3c574c', 6), M.stone('#85987f', '#4a6352', 7), M.stone('#5f7d74', '#2f4a46', 5)]
pts = [(x, y, TH + .032 - .0) for x, y in hol if abs(x) + abs(y) > .01]
pts = pts[:]; taken = [(-S, -2 * S), (0., -S), (S, 0.)]
pts = [p for p in pts if not any(abs(p[0] - x) + abs(p[1] - y) < .01 for x, y in taken)]
pts += [(.965 * math.cos(t), .965 * math.sin(t), TH - .05 + MR) for t in np.radians((-62, -50, -37))]
for i, (x, y, z) in enumerate(pts):
    b = lathe('marble', [(MR * math.cos(t), MR * math.sin(t)) for t in a], ms[i % 3], sharp=True, segs=64, wobble=.003, seed=i); b.location = (x, y, z if i >= len(pts) - 3 else TH - .0375 + MR - .0); b.rotation_euler = tuple(rng.uniform(0, 6, 3)); o.append(b)
move(o, (0, .05, .001), (0, 0, math.radians(18)))
backdrop(M.plaster('#e2d8c8'), M.plaster())
window(); camera((0, 0, .1), 7.2, 36, 0, 85, 5, focus=(0, -.3, .25)); render('solitaire')
