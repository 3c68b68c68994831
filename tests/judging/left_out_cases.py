"""Sentences, each with a claim that it does not bear out for what the claim leaves out or changes.

All of our own writing. `TRUE` are claims that leave out or put otherwise what does not matter.
"""

from __future__ import annotations

CASES = """
Visitors may use the network after they have signed the terms.
    Visitors may use the network.
Interns may work from home once they have passed the safety course.
    Interns may work from home.
Staff may park in the yard before 9 am.
    Staff may park in the yard.
Employees may take unpaid leave after two years of service.
    Employees may take unpaid leave.
Guests may stay overnight while the renovation lasts.
    Guests may stay overnight.
You may use the lift when the fire alarm is silent.
    You may use the lift.
Managers can approve overtime during the busy season.
    Managers can approve overtime.
Contractors can enter the plant as long as a guard is with them.
    Contractors can enter the plant.
Tenants may sublet the flat with written consent.
    Tenants may sublet the flat.
Members may bring guests on Sundays.
    Members may bring guests.
Pupils may leave the premises with a note from a parent.
    Pupils may leave the premises.
Employees are entitled to a bonus after the probation period.
    Employees are entitled to a bonus.
Dogs are allowed in the ground-floor offices.
    Dogs are allowed in the offices.
The gym is open to residents on weekdays.
    The gym is open to residents.
Drivers may exceed the limit in an emergency.
    Drivers may exceed the limit.
Refunds are available within 14 days of purchase.
    Refunds are available.
Alcohol is allowed at official receptions.
    Alcohol is allowed.
The card may be used for travel.
    The card may be used.
Nurses may give the drug under the supervision of a doctor.
    Nurses may give the drug.
Photos may be taken outside the laboratory.
    Photos may be taken.
"""
"""Allowed or given in one case only, and claimed of all."""

SOME = """
Staff in Berlin get 30 days of leave.
    Staff get 30 days of leave.
Employees who lose a laptop must pay 200 euros.
    Employees must pay 200 euros.
Staff on night shifts receive a bonus of 50 euros.
    Staff receive a bonus of 50 euros.
Employees with children get five extra days of leave.
    Employees get five extra days of leave.
Customers outside the EU pay a fee of 20 euros.
    Customers pay a fee of 20 euros.
Patients under 12 need the consent of a parent.
    Patients need the consent of a parent.
Orders above 100 euros are shipped free of charge.
    Orders are shipped free of charge.
Trips to the United States need the approval of the director.
    Trips need the approval of the director.
Expenses for alcohol are not reimbursed.
    Expenses are not reimbursed.
Passwords of administrators expire after 30 days.
    Passwords expire after 30 days.
Invoices without a purchase order are rejected.
    Invoices are rejected.
Students enrolled before 2020 pay no fees.
    Students pay no fees.
People working in the kitchen must wear a hairnet.
    People must wear a hairnet.
Bags left at reception are destroyed.
    Bags are destroyed.
Vehicles whose permit has expired are towed.
    Vehicles are towed.
Laptops that hold patient data must be encrypted.
    Laptops must be encrypted.
Members aged over 65 travel free.
    Members travel free.
Emails from unknown senders are deleted.
    Emails are deleted.
Meals during business trips are reimbursed.
    Meals are reimbursed.
Accidents at work are covered by the insurance.
    Accidents are covered by the insurance.
Guards may open the safe in the presence of two witnesses.
    Guards may open the safe.
Residents may keep cats provided that the neighbours agree.
    Residents may keep cats.
Members can vote once the fee has been paid.
    Members can vote.
The water is safe to drink after boiling.
    The water is safe to drink.
Trainees are allowed to drive the forklift accompanied by an instructor.
    Trainees are allowed to drive the forklift.
The grant covers travel inside Europe.
    The grant covers travel.
The loan is free of interest for the first year.
    The loan is free of interest.
The policy covers phones bought less than two years ago.
    The policy covers phones.
Children up to the age of six travel free of charge.
    Children travel free of charge.
Parcels heavier than 20 kg cost 12 euros.
    Parcels cost 12 euros.
Pregnant women should not take this medicine.
    Women should not take this medicine.
Full members elect the board.
    Members elect the board.
Tickets booked online cost 8 euros.
    Tickets cost 8 euros.
Files marked secret are shredded.
    Files are shredded.
Those of the tenants who have a garden pay 15 euros more.
    The tenants pay 15 euros more.
Machines in hall 3 are serviced monthly.
    Machines are serviced monthly.
Employees hired after 2015 receive a company pension.
    Employees receive a company pension.
Persons over 60 should be vaccinated every year.
    Persons should be vaccinated every year.
Students from abroad must show a visa.
    Students must show a visa.
In leap years the bonus is 366 euros.
    The bonus is 366 euros.
During the summer the pool closes at 10 pm.
    The pool closes at 10 pm.
On public holidays, parking is free.
    Parking is free.
For members, the entry costs 5 euros.
    The entry costs 5 euros.
At night the gate is locked.
    The gate is locked.
With a doctor's note, staff may work from home.
    Staff may work from home.
"""
"""Said of some only, or in one case, and claimed of all."""

JOINTS = """
Complaints are answered within ten working days.
    Complaints are answered within ten days.
The notice period is 30 business days.
    The notice period is 30 days.
Groups of more than 10 people must register.
    Groups of 10 people must register.
The fee is due after 30 consecutive days.
    The fee is due after 30 days.
The offer is valid until 1 March 2025.
    The offer is valid from 1 March 2025.
The office is open from 9 am.
    The office is open until 9 am.
The rule applies since 2019.
    The rule applied until 2019.
Claims over 500 euros are checked by hand.
    Claims of 500 euros are checked by hand.
The hall seats fewer than 200 guests.
    The hall seats 200 guests.
The discount is up to 20 percent.
    The discount is 20 percent.
Staff work 38 hours a week on average.
    Staff work at least 38 hours a week.
Reports are due by 15 May.
    Reports are due after 15 May.
The trial lasts three months.
    The trial lasts at most three months.
Requests need the approval of the manager and the director.
    Requests need the approval of the manager or the director.
Bring a passport or a driving licence.
    Bring a passport and a driving licence.
Claims need a receipt and a signed form.
    Claims need a receipt or a signed form.
The bonus is paid in June or December.
    The bonus is paid in June and December.
You may choose tea or coffee.
    You may choose tea and coffee.
The former head of security approved the plan.
    The head of security approved the plan.
The deputy director signs the contracts.
    The director signs the contracts.
The acting mayor opened the bridge.
    The mayor opened the bridge.
The draft policy allows remote work abroad.
    The policy allows remote work abroad.
The proposed rule limits overtime to five hours.
    The rule limits overtime to five hours.
An assistant manager may approve the discount.
    A manager may approve the discount.
The alleged thief was arrested in May.
    The thief was arrested in May.
The outgoing chair resigned from the board.
    The chair resigned from the board.
Payment is due within 20 working days of the invoice.
    Payment is due within 20 days of the invoice.
The flat has 60 square metres of net floor space.
    The flat has 60 metres.
Meals are served until 9 pm.
    Meals are served from 9 pm.
The permit is valid from 3 May.
    The permit is valid until 3 May.
Applications are accepted before 30 June.
    Applications are accepted after 30 June.
Pack a coat or a blanket.
    Pack a coat and a blanket.
The form is signed by the tenant and the landlord.
    The form is signed by the tenant or the landlord.
The tank holds about 90 litres.
    The tank holds at least 90 litres.
Nearly 40 people attended.
    40 people attended.
"""
"""Values and things joined by other words, and what is not quite the thing."""

HEARSAY = """
Critics claim that the plant pollutes the river.
    The plant pollutes the river.
Some employees believe that the canteen is closed on Fridays.
    The canteen is closed on Fridays.
The union argues that the pay is too low.
    The pay is too low.
According to a rumour, the office moves to Leeds.
    The office moves to Leeds.
The supplier alleges that the goods arrived late.
    The goods arrived late.
Opponents say that the dam endangers fish.
    The dam endangers fish.
Many people think that the insurance covers theft.
    The insurance covers theft.
The defendant denied that he took the money.
    The defendant took the money.
The company hopes that sales will double.
    Sales will double.
The mayor claims the bridge is safe.
    The bridge is safe.
Analysts expect that the price will fall.
    The price will fall.
The tenant complained that the heating was broken.
    The heating was broken.
Researchers suspect that the mineral causes cancer.
    The mineral causes cancer.
According to some employees, the boss sleeps at noon.
    The boss sleeps at noon.
The bridge is safe, the mayor claims.
    The bridge is safe.
Residents fear that the factory will close.
    The factory will close.
The seller insists that the car has no rust.
    The car has no rust.
It is rumoured that the firm has been sold.
    The firm has been sold.
"""
"""What somebody says or thinks, claimed as so."""

TIMES = """
The office will move to Leeds in May.
    The office moved to Leeds in May.
The canteen was open on Sundays.
    The canteen is open on Sundays.
The company plans to hire 50 people.
    The company hired 50 people.
Staff used to get a free lunch.
    Staff get a free lunch.
The board intends to close the branch.
    The board closed the branch.
The city wants to build a new school.
    The city built a new school.
The hotel had a swimming pool.
    The hotel has a swimming pool.
The firm used to pay for parking.
    The firm pays for parking.
The firm will pay for parking from 2027.
    The firm pays for parking.
The team tried to repair the pump.
    The team repaired the pump.
The committee is to meet in March.
    The committee met in March.
The museum was closed on Mondays.
    The museum is closed on Mondays.
They had planned to sell the ship.
    They sold the ship.
The treaty was to be signed in May.
    The treaty was signed in May.
The board considered closing the plant.
    The board closed the plant.
"""
"""What was, or is only meant to be, claimed as what is."""

TRUE = """
Visitors must sign the book at the front desk.
    Visitors must sign the book.
Visitors may use the network after they have signed the terms.
    Visitors may use the network after signing the terms.
Staff may park in the yard before 9 am.
    Before 9 am, staff may park in the yard.
Employees may take unpaid leave after two years of service.
    After two years of service, employees may take unpaid leave.
Staff in Berlin get 30 days of leave.
    Employees in Berlin get 30 days of leave.
Staff in Berlin get 30 days of leave.
    In Berlin, staff get 30 days of leave.
Employees who lose a laptop must pay 200 euros.
    An employee who loses a laptop must pay 200 euros.
Complaints are answered within ten working days.
    Complaints are answered in ten working days.
The notice period is 30 business days.
    The notice period is 30 working days.
Groups of more than 10 people must register.
    Groups of over 10 people must register.
Requests need the approval of the manager and the director.
    Requests need the approval of the director and the manager.
The former head of security approved the plan.
    The plan was approved by the former head of security.
Critics claim that the plant pollutes the river.
    According to critics, the plant pollutes the river.
Accidents must be reported to the safety officer within 24 hours.
    Accidents must be reported within 24 hours.
Accidents must be reported to the safety officer within 24 hours.
    Accidents must be reported to the safety officer.
The company was founded in Leeds in 1990 by two brothers.
    The company was founded in 1990.
The company was founded in Leeds in 1990 by two brothers.
    The company was founded in Leeds by two brothers.
Employees get 27 days of paid leave a year, and the days may be carried over until March.
    Employees get 27 days of paid leave a year.
All employees receive a laptop on their first day.
    All employees receive a laptop.
The canteen opens at 11:30 on weekdays.
    The canteen opens at 11:30 on weekdays.
Passwords must have at least 12 characters and be changed every 90 days.
    Passwords must have at least 12 characters.
Passwords must have at least 12 characters and be changed every 90 days.
    Passwords must be changed every 90 days.
The manager signs the form before it goes to payroll.
    The manager signs the form.
Mileage is paid at 0.30 euros per kilometre for private cars.
    Mileage for private cars is paid at 0.30 euros per kilometre.
Travel costs are reimbursed within three weeks of the claim.
    Travel costs are reimbursed within three weeks of the claim.
Employees may work from home two days a week with the agreement of their manager.
    With the agreement of their manager, employees may work from home two days a week.
Data is kept for seven years and then deleted.
    Data is kept for seven years.
Visitors must wear a badge in all buildings.
    Visitors must wear a badge.
The study enrolled 120 patients at three hospitals between 2015 and 2017.
    The study enrolled 120 patients.
The bridge was opened by the mayor in June 1932 after four years of work.
    The bridge was opened in June 1932.
The bridge was opened by the mayor in June 1932 after four years of work.
    The bridge was opened by the mayor.
In 2021 the team won the cup for the third time.
    The team won the cup in 2021.
The pump failed during the night because a seal had cracked.
    The pump failed during the night.
The pump failed during the night because a seal had cracked.
    The pump failed because a seal had cracked.
Gifts worth more than 50 euros must be declared to the compliance team.
    Gifts worth more than 50 euros must be declared.
Gifts worth more than 50 euros must be declared to the compliance team.
    Gifts over 50 euros must be declared to the compliance team.
The sensor reports the temperature every ten seconds over the network.
    The sensor reports the temperature every ten seconds.
Leave is requested in the portal at least two weeks ahead.
    Leave is requested in the portal.
Leave is requested in the portal at least two weeks ahead.
    Leave must be requested at least two weeks ahead.
Anyone who works with chemicals must wear gloves and goggles.
    Anyone who works with chemicals must wear gloves.
Managers must answer a request within five days, otherwise it counts as approved.
    Managers must answer a request within five days.
The warranty runs for two years from the date of delivery.
    The warranty runs for two years.
Staff must lock their screens when they leave their desks.
    Staff must lock their screens when leaving their desks.
Employees on parental leave keep their laptop.
    Employees on parental leave keep their laptops.
The library lends books for four weeks, and readers may renew them twice.
    The library lends books for four weeks.
Overtime must be approved in advance by the line manager.
    Overtime must be approved in advance.
Overtime must be approved in advance by the line manager.
    The line manager must approve overtime in advance.
The minister said on Monday that the tunnel would open in May.
    The minister said that the tunnel would open in May.
Dr Smith, who joined the clinic in 2010, leads the ward.
    Dr Smith leads the ward.
The head office, which is in Leeds, has 300 employees.
    The head office has 300 employees.
Employees are entitled to a bonus after the probation period.
    After the probation period, employees are entitled to a bonus.
The fee for the course is 250 euros, due before the first lesson.
    The fee for the course is 250 euros.
Meals during business trips are reimbursed.
    Meals on business trips are reimbursed.
Expenses for alcohol are not reimbursed.
    Alcohol is not reimbursed.
The deputy director signs the contracts.
    Contracts are signed by the deputy director.
The minimum age for drivers is 21 years.
    Drivers must be at least 21 years old.
Employees may bring dogs to the office on Fridays.
    On Fridays employees may bring dogs to the office.
The vaccine reduced infections by 60 percent in adults over 65.
    In adults over 65, the vaccine reduced infections by 60 percent.
Staff who travel by train may book first class on journeys of more than four hours.
    On journeys of more than four hours, staff who travel by train may book first class.
Receipts must be handed in by the fifth of the month.
    Receipts must be handed in by the fifth of the month.
The school has 400 pupils from 30 countries.
    The school has 400 pupils.
Keys are issued at the gate to staff with a valid card.
    Keys are issued to staff with a valid card.
You can reach the help desk by phone from 8 am to 6 pm.
    The help desk can be reached by phone from 8 am to 6 pm.
The lamp may be mounted on walls and ceilings with the screws supplied.
    The lamp may be mounted on walls and ceilings with the supplied screws.
Guards may open the safe in the presence of two witnesses.
    In the presence of two witnesses, guards may open the safe.
Residents may keep cats if the neighbours agree.
    Residents may keep cats if their neighbours agree.
The grant covers travel inside Europe.
    Travel inside Europe is covered by the grant.
The clinic was founded by Anna Weber in 1911 and moved to Bonn in 1950.
    The clinic was founded in 1911 by Anna Weber.
The clinic was founded by Anna Weber in 1911 and moved to Bonn in 1950.
    The clinic moved to Bonn in 1950.
Children up to the age of six travel free of charge.
    Children up to six years of age travel free of charge.
Tickets booked online cost 8 euros, tickets at the door 10 euros.
    Tickets booked online cost 8 euros.
Tickets booked online cost 8 euros, tickets at the door 10 euros.
    Tickets at the door cost 10 euros.
Employees hired after 2015 receive a company pension.
    Employees who were hired after 2015 receive a company pension.
The pool, which was built in 1974, closes at 10 pm.
    The pool closes at 10 pm.
All guests must leave their coats at the cloakroom on the ground floor.
    All guests must leave their coats at the cloakroom.
Each driver receives a card for fuel and tolls.
    Each driver receives a card for fuel.
The report describes three accidents in detail.
    The report describes three accidents.
The committee meets four times a year in the town hall.
    The committee meets four times a year.
Cleaning takes place every evening after 6 pm.
    Cleaning takes place every evening.
Employees must inform their manager by phone before the start of work.
    Employees must inform their manager before the start of work.
The data are stored on servers in Frankfurt and backed up daily.
    The data are stored on servers in Frankfurt.
The data are stored on servers in Frankfurt and backed up daily.
    The data are backed up daily.
Employees earn one day of leave for each month that they have worked.
    Employees earn one day of leave for each month worked.
The storm destroyed 40 houses on the coast in 1962.
    The storm destroyed 40 houses in 1962.
The storm destroyed 40 houses on the coast in 1962.
    In 1962, the storm destroyed 40 houses.
The village lies on the river Aar at a height of 300 metres.
    The village lies at a height of 300 metres.
The village lies on the river Aar at a height of 300 metres.
    The village lies on the river Aar.
The novel was written by Clara Beck during a long illness.
    The novel was written by Clara Beck.
The pump delivers 40 litres of water per minute at full speed.
    The pump delivers 40 litres of water per minute at full speed.
The device must be switched off before it is cleaned.
    Before it is cleaned, the device must be switched off.
The device must be switched off before cleaning.
    The device must be switched off before it is cleaned.
Staff may wear jeans on Fridays.
    On Fridays staff may wear jeans.
Staff may wear jeans on Fridays.
    Jeans may be worn by staff on Fridays.
Invoices are paid within 30 days of receipt by the finance team.
    The finance team pays invoices within 30 days of receipt.
The warehouse is heated from October to April.
    The warehouse is heated from October to April.
Members under 18 need the signature of a parent on the form.
    Members under 18 need a parent's signature.
The mayor said that the bridge would be repaired in 2027.
    The mayor said the bridge would be repaired in 2027.
The mayor claims the bridge is safe.
    The mayor claims that the bridge is safe.
The hotel had a swimming pool until 1999.
    Until 1999 the hotel had a swimming pool.
The city plans to build a new school in the north.
    The city plans to build a new school.
The results were published in Nature in 2011.
    The results were published in 2011.
Smith studied law at Oxford and became a judge in 1988.
    Smith became a judge in 1988.
Smith studied law at Oxford and became a judge in 1988.
    Smith studied law at Oxford.
The lift is inspected by an engineer every six months.
    The lift is inspected every six months.
Complaints are answered within ten working days by the service team.
    Complaints are answered within ten working days.
Employees can book a desk in the app.
    Employees can book a desk.
You can pay by card or in cash.
    You can pay in cash.
You can pay by card or in cash.
    You can pay by card.
Staff may use the gym and the pool.
    Staff may use the gym.
Staff may use the gym and the pool.
    Staff may use the pool.
The fee can be paid in two instalments, in May and in October.
    The fee can be paid in two instalments.
The garage, the cellar and the attic may be used for storage.
    The attic may be used for storage.
Trainees receive a certificate at the end of the course.
    At the end of the course, trainees receive a certificate.
"""
"""Claims that must stay supported."""
