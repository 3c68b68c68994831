import re,sys
import veridical.sources.pdf_headings as H
orig=H._has_cells
def spy(boxes,units,line,size):
    w=units[slice(*line)]
    g=[round((boxes[line[0]+f.end()][0]-boxes[line[0]+f.start()-1][2])/size,2) for f in re.finditer(r"(?<=\S)\s+(?=\S)",w)]
    print(repr(w.strip()[:50]),size,g)
    return orig(boxes,units,line,size)
H._has_cells=spy
from veridical.sources.pdf import read_pdf
import veridical.sources.isolated
for n in sys.argv[1:]:
    print("==",n); read_pdf(open(f"pdf/{n}.pdf","rb").read(),n)
